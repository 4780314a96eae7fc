/**
 * Conditions: boolean expressions over the claims of a visitor, which decide whether a part of a site is visible to
 * them. They are a small subset of JavaScript; expressions outside of it are rejected when they are set.
 */
import { type Node as AnyNode, type Expression as Node, parseExpressionAt } from "acorn"
import { Result, Schema } from "effect"
import { text } from "../../kernel/schema/Text.ts"

/** The binary operators of conditions. */
export const operators = ["==", "!=", "===", "!==", "<", "<=", ">", ">=", "in"] as const
/** A binary operator of conditions. */
export type Operator = (typeof operators)[number]

/** The methods of conditions, each with one argument. */
export const methods = ["includes", "startsWith", "endsWith"] as const
/** A method of conditions. */
export type Method = (typeof methods)[number]

/** A parsed condition, or a part of one. */
export type Expression =
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  /** The claims of the visitor: `visitor.claims`. */
  | { readonly kind: "claims" }
  | { readonly kind: "member"; readonly of: Expression; readonly name: string }
  | { readonly kind: "not"; readonly of: Expression }
  | { readonly kind: "and" | "or"; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: "binary"
      readonly operator: Operator
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly kind: "call"; readonly method: Method; readonly on: Expression; readonly argument: Expression }

/** Why a condition is invalid, as the message of an invalid field. */
export type Problem = string

const unsupported = (what: string): Problem =>
  `must consist of visitor.claims, literals, !, &&, ||, comparisons, in, and includes, startsWith or endsWith; ${what} is not supported`

const isOneOf = <A extends string>(all: ReadonlyArray<A>, one: string): one is A =>
  (all as ReadonlyArray<string>).includes(one)

const convert = (node: AnyNode): Result.Result<Expression, Problem> => {
  const expression = node as Node
  switch (expression.type) {
    case "ParenthesizedExpression":
      return convert(expression.expression)
    case "Literal": {
      const { value } = expression
      const isPlain =
        value === null ? expression.raw === "null" : /^(string|number|boolean)$/.test(typeof value)
      return isPlain
        ? Result.succeed({ kind: "literal", value: value as string | number | boolean | null })
        : Result.fail(unsupported("this type of literal"))
    }
    case "UnaryExpression":
      return expression.operator === "!"
        ? Result.map(convert(expression.argument), (of) => ({ kind: "not", of }))
        : Result.fail(unsupported(`the operator ${expression.operator}`))
    case "LogicalExpression": {
      if (expression.operator === "??") return Result.fail(unsupported("the operator ??"))
      const kind = expression.operator === "&&" ? "and" : "or"
      return both(expression.left, expression.right, (left, right) => ({ kind, left, right }))
    }
    case "BinaryExpression": {
      const { operator } = expression
      if (!isOneOf(operators, operator)) return Result.fail(unsupported(`the operator ${operator}`))
      return both(expression.left, expression.right, (left, right) => ({
        kind: "binary",
        operator,
        left,
        right
      }))
    }
    case "MemberExpression": {
      if (expression.optional) return Result.fail(unsupported("?."))
      const name = propertyName(expression.property, expression.computed)
      if (name === undefined) return Result.fail(unsupported("a member without a name"))
      if (expression.object.type === "Identifier" && expression.object.name === "visitor") {
        return name === "claims"
          ? Result.succeed({ kind: "claims" })
          : Result.fail(unsupported(`visitor.${name}`))
      }
      return Result.map(convert(expression.object), (of) => ({ kind: "member", of, name }))
    }
    case "CallExpression": {
      const { callee } = expression
      if (callee.type !== "MemberExpression" || callee.optional || expression.optional) {
        return Result.fail(unsupported("this call"))
      }
      const method = propertyName(callee.property, callee.computed)
      if (method === undefined || !isOneOf(methods, method)) return Result.fail(unsupported("this call"))
      const [argument] = expression.arguments
      if (expression.arguments.length !== 1 || argument === undefined) {
        return Result.fail(`must call ${method} with one argument`)
      }
      return both(callee.object, argument, (on, argument) => ({ kind: "call", method, on, argument }))
    }
    case "Identifier":
      return Result.fail(unsupported(`the name ${expression.name}`))
    default:
      return Result.fail(unsupported("this expression"))
  }
}

const both = (
  left: AnyNode,
  right: AnyNode,
  combine: (left: Expression, right: Expression) => Expression
): Result.Result<Expression, Problem> =>
  Result.flatMap(convert(left), (left) => Result.map(convert(right), (right) => combine(left, right)))

/** The name of a member: an identifier, or a string literal in brackets. */
const propertyName = (property: AnyNode, computed: boolean): string | undefined => {
  const node = property as Node
  if (!computed) return node.type === "Identifier" ? node.name : undefined
  return node.type === "Literal" && typeof node.value === "string" ? node.value : undefined
}

/** The maximum length of a condition in characters (specification, field bounds). */
const maximumLength = 1024

/** Parses a condition, or returns why it is invalid. */
export const parse = (condition: string): Result.Result<Expression, Problem> => {
  // Longer text could nest deeply enough to overflow the stack.
  if (condition.length > maximumLength * 2) {
    return Result.fail(`must be an expression of at most ${maximumLength} characters`)
  }
  let node: Node
  try {
    node = parseExpressionAt(condition, 0, { ecmaVersion: 2022, preserveParens: true })
  } catch {
    return Result.fail("must be an expression, as in visitor.claims.plan == 'pro'")
  }
  // The parser stops after the first expression.
  return condition.slice(node.end).trim() === "" ? convert(node) : Result.fail("must be a single expression")
}

/** A condition: 1 to 1,024 characters, an expression of the subset. */
export const Condition = text({ min: 1, max: maximumLength }).check(
  Schema.makeFilter((condition: string) => {
    const parsed = parse(condition)
    return Result.isFailure(parsed) ? parsed.failure : undefined
  })
)
