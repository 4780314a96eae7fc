/**
 * Evaluates expressions with the semantics of JavaScript, with access to the claims or to named values only. A missing
 * member, and anything else for which JavaScript throws, makes the whole expression false. Each part of a condition is
 * evaluated at most once, so evaluation takes linear time; functions over lists have a budget of steps.
 */
import type { Expression, ListMethod, Method, Operator } from "./Condition.ts"

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

/** The values that an expression can access. */
interface Scope {
  readonly claims: Claims
  readonly names: ReadonlyMap<string, unknown>
  /** The remaining number of evaluations of functions. */
  readonly budget: { steps: number }
}

/** The maximum number of evaluations of functions by an expression. */
const maximumSteps = 20_000

const evaluateEach = (
  { on, method, parameter, body }: Expression & { readonly kind: "each" },
  scope: Scope
): unknown => {
  const list = valueOf(on, scope)
  if (!Array.isArray(list)) throw new EvaluationError()
  const isMatch = (item: unknown): boolean => {
    if (scope.budget.steps-- <= 0) throw new EvaluationError()
    return Boolean(valueOf(body, { ...scope, names: new Map([...scope.names, [parameter, item]]) }))
  }
  const evaluate: Record<ListMethod, () => unknown> = {
    some: () => list.some(isMatch),
    every: () => list.every(isMatch),
    filter: () => list.filter(isMatch)
  }
  return evaluate[method]()
}

const valueOf = (expression: Expression, scope: Scope): unknown => {
  switch (expression.kind) {
    case "literal":
      return expression.value
    case "claims":
      return scope.claims
    case "name":
      return scope.names.get(expression.name)
    case "member":
      return memberOf(valueOf(expression.of, scope), expression.name)
    case "not":
      return !valueOf(expression.of, scope)
    case "and":
      return valueOf(expression.left, scope) && valueOf(expression.right, scope)
    case "or":
      return valueOf(expression.left, scope) || valueOf(expression.right, scope)
    case "binary":
      return compare(expression.operator, valueOf(expression.left, scope), valueOf(expression.right, scope))
    case "call":
      return call(expression.method, valueOf(expression.on, scope), valueOf(expression.argument, scope))
    case "each":
      return evaluateEach(expression, scope)
  }
}

const evaluateIn = (expression: Expression, claims: Claims, names: ReadonlyMap<string, unknown>): boolean => {
  try {
    return Boolean(valueOf(expression, { claims, names, budget: { steps: maximumSteps } }))
  } catch (error) {
    if (error instanceof EvaluationError) return false
    throw error
  }
}

/** Whether a condition is true for a visitor with these claims. Never throws. */
export const evaluateCondition = (expression: Expression, claims: Claims): boolean =>
  evaluateIn(expression, claims, new Map())

/** Whether an expression over named values, which are JSON, is true. Never throws. */
export const evaluateNamed = (expression: Expression, names: { readonly [name: string]: unknown }): boolean =>
  evaluateIn(expression, {}, new Map(Object.entries(names)))
