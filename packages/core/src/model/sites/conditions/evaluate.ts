/**
 * Evaluating conditions: as JavaScript would, but with nothing in reach except the claims. A claim that the visitor
 * does not have, and anything else that JavaScript would throw for, makes the whole condition false. Each part of a
 * condition is looked at once at most, so it takes as long as it has parts.
 */
import type { Expression, Method, Operator } from "./Condition.ts"

/** What is known of a visitor: JSON, as it came in their token. */
export type Claims = { readonly [name: string]: unknown }

/** What a condition cannot be evaluated for. */
class Unanswerable extends Error {}

type Primitive = string | number | boolean | null | undefined

const isPrimitive = (value: unknown): value is Primitive =>
  value === null || (typeof value !== "object" && typeof value !== "function")

/** Own members of objects and lists; nothing that is inherited, so nothing that could be called. */
const memberOf = (value: unknown, name: string): unknown => {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) throw new Unanswerable()
  return (value as Claims)[name]
}

const compare = (operator: Operator, left: unknown, right: unknown): boolean => {
  switch (operator) {
    case "===":
      return left === right
    case "!==":
      return left !== right
    case "in":
      if (!isPrimitive(left) || isPrimitive(right)) throw new Unanswerable()
      return Object.hasOwn(right as object, String(left))
  }
  // To compare objects with anything, JavaScript would call methods of theirs.
  if (!isPrimitive(left) || !isPrimitive(right)) throw new Unanswerable()
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
  if (typeof on !== "string" || !isPrimitive(argument)) throw new Unanswerable()
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

/** Whether a condition holds for a visitor with these claims. It never throws. */
export const holds = (expression: Expression, claims: Claims): boolean => {
  try {
    return Boolean(valueOf(expression, claims))
  } catch (error) {
    if (error instanceof Unanswerable) return false
    throw error
  }
}
