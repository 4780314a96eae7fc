/**
 * Evaluates conditions with the semantics of JavaScript, with access to the claims only. A missing claim, and anything
 * else for which JavaScript throws, makes the whole condition false. Each part of a condition is evaluated at most
 * once, so evaluation takes linear time.
 */
import type { Expression, Method, Operator } from "./Condition.ts"

/** The claims of a visitor: JSON, from their token. */
export type Claims = { readonly [name: string]: unknown }

/** Thrown where a condition cannot be evaluated. */
class EvaluationError extends Error {}

type Primitive = string | number | boolean | null | undefined

const isPrimitive = (value: unknown): value is Primitive =>
  value === null || (typeof value !== "object" && typeof value !== "function")

/** Reads own members of objects and arrays only: an inherited member could be a function. */
const memberOf = (value: unknown, name: string): unknown => {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) throw new EvaluationError()
  return (value as Claims)[name]
}

const compare = (operator: Operator, left: unknown, right: unknown): boolean => {
  switch (operator) {
    case "===":
      return left === right
    case "!==":
      return left !== right
    case "in":
      if (!isPrimitive(left) || isPrimitive(right)) throw new EvaluationError()
      return Object.hasOwn(right as object, String(left))
  }
  // JavaScript calls methods of objects to compare them.
  if (!isPrimitive(left) || !isPrimitive(right)) throw new EvaluationError()
  switch (operator) {
    case "==":
      // biome-ignore lint/suspicious/noDoubleEquals: it is the operator that the condition names
      return left == right
    case "!=":
      // biome-ignore lint/suspicious/noDoubleEquals: it is the operator that the condition names
      return left != right
    case "<":
      return left! < right!
    case "<=":
      return left! <= right!
    case ">":
      return left! > right!
    case ">=":
      return left! >= right!
  }
}

const call = (method: Method, on: unknown, argument: unknown): boolean => {
  if (Array.isArray(on) && method === "includes") return on.includes(argument)
  if (typeof on !== "string" || !isPrimitive(argument)) throw new EvaluationError()
  return on[method](String(argument))
}

const valueOf = (expression: Expression, claims: Claims): unknown => {
  switch (expression.kind) {
    case "literal":
      return expression.value
    case "claims":
      return claims
    case "member":
      return memberOf(valueOf(expression.of, claims), expression.name)
    case "not":
      return !valueOf(expression.of, claims)
    case "and":
      return valueOf(expression.left, claims) && valueOf(expression.right, claims)
    case "or":
      return valueOf(expression.left, claims) || valueOf(expression.right, claims)
    case "binary":
      return compare(expression.operator, valueOf(expression.left, claims), valueOf(expression.right, claims))
    case "call":
      return call(expression.method, valueOf(expression.on, claims), valueOf(expression.argument, claims))
  }
}

/** Whether a condition is true for a visitor with these claims. Never throws. */
export const evaluateCondition = (expression: Expression, claims: Claims): boolean => {
  try {
    return Boolean(valueOf(expression, claims))
  } catch (error) {
    if (error instanceof EvaluationError) return false
    throw error
  }
}
