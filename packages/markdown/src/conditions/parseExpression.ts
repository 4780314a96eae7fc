/** Parses expressions: conditions, and the expressions of custom merge rules. */

import {
  type Expression,
  type ListMethod,
  listMethods,
  maximumExpressionLength,
  methods,
  operators
} from "@lectern/model/conditions"
import { expressionNames } from "@lectern/model/merge-rules"
import { type Node as AnyNode, type CallExpression, type Expression as Node, parseExpressionAt } from "acorn"
import { Result } from "effect"

/** A language of expressions. */
interface Language {
  /** The supported syntax, for messages. */
  readonly syntax: string
  /** The names that expressions can use; undefined for conditions, whose only value is `visitor.claims`. */
  readonly names: ReadonlySet<string> | undefined
}

const conditions: Language = {
  syntax: "visitor.claims, literals, !, &&, ||, comparisons, in, and includes, startsWith or endsWith",
  names: undefined
}

/** Why a condition is invalid, as the message of an invalid field. */
export type Problem = string

const unsupportedIn = (what: string, { syntax }: Language): Problem =>
  `must consist of ${syntax}; ${what} is not supported`

const isOneOf = <A extends string>(all: ReadonlyArray<A>, one: string): one is A =>
  (all as ReadonlyArray<string>).includes(one)

const convert = (node: AnyNode, language: Language): Result.Result<Expression, Problem> => {
  const expression = node as Node
  const unsupported = (what: string) => unsupportedIn(what, language)
  switch (expression.type) {
    case "ParenthesizedExpression":
      return convert(expression.expression, language)
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
        ? Result.map(convert(expression.argument, language), (of) => ({ kind: "not", of }))
        : Result.fail(unsupported(`the operator ${expression.operator}`))
    case "LogicalExpression": {
      if (expression.operator === "??") return Result.fail(unsupported("the operator ??"))
      const kind = expression.operator === "&&" ? "and" : "or"
      return both(expression.left, expression.right, language, (left, right) => ({ kind, left, right }))
    }
    case "BinaryExpression": {
      const { operator } = expression
      if (!isOneOf(operators, operator)) return Result.fail(unsupported(`the operator ${operator}`))
      return both(expression.left, expression.right, language, (left, right) => ({
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
      if (
        language.names === undefined &&
        expression.object.type === "Identifier" &&
        expression.object.name === "visitor"
      ) {
        return name === "claims"
          ? Result.succeed({ kind: "claims" })
          : Result.fail(unsupported(`visitor.${name}`))
      }
      return Result.map(convert(expression.object, language), (of) => ({ kind: "member", of, name }))
    }
    case "CallExpression": {
      const { callee } = expression
      if (callee.type !== "MemberExpression" || callee.optional || expression.optional) {
        return Result.fail(unsupported("this call"))
      }
      const method = propertyName(callee.property, callee.computed)
      if (method !== undefined && language.names !== undefined && isOneOf(listMethods, method))
        return convertEach(expression, callee.object, method, language, language.names)
      if (method === undefined || !isOneOf(methods, method)) return Result.fail(unsupported("this call"))
      const [argument] = expression.arguments
      if (expression.arguments.length !== 1 || argument === undefined) {
        return Result.fail(`must call ${method} with one argument`)
      }
      return both(callee.object, argument, language, (on, argument) => ({
        kind: "call",
        method,
        on,
        argument
      }))
    }
    case "Identifier":
      if (language.names?.has(expression.name) === true)
        return Result.succeed({ kind: "name", name: expression.name })
      return Result.fail(unsupported(`the name ${expression.name}`))
    default:
      return Result.fail(unsupported("this expression"))
  }
}

const both = (
  left: AnyNode,
  right: AnyNode,
  language: Language,
  combine: (left: Expression, right: Expression) => Expression
): Result.Result<Expression, Problem> =>
  Result.flatMap(convert(left, language), (left) =>
    Result.map(convert(right, language), (right) => combine(left, right))
  )

/** Converts a call such as `reviews.some(review => review.status == "approved")`. */
const convertEach = (
  call: CallExpression,
  object: AnyNode,
  method: ListMethod,
  language: Language,
  names: ReadonlySet<string>
): Result.Result<Expression, Problem> => {
  const [argument] = call.arguments
  if (
    call.arguments.length !== 1 ||
    argument?.type !== "ArrowFunctionExpression" ||
    argument.async ||
    argument.params.length !== 1 ||
    argument.params[0]?.type !== "Identifier" ||
    argument.body.type === "BlockStatement"
  )
    return Result.fail(`must call ${method} with a function of one parameter that returns an expression`)
  const parameter = argument.params[0].name
  const inner = { ...language, names: new Set([...names, parameter]) }
  return Result.flatMap(convert(object, language), (on) =>
    Result.map(convert(argument.body, inner), (body) => ({ kind: "each", method, on, parameter, body }))
  )
}

/** The name of a member: an identifier, or a string literal in brackets. */
const propertyName = (property: AnyNode, computed: boolean): string | undefined => {
  const node = property as Node
  if (!computed) return node.type === "Identifier" ? node.name : undefined
  return node.type === "Literal" && typeof node.value === "string" ? node.value : undefined
}

/** Parses a condition, or returns why it is invalid. */
export const parseCondition = (condition: string): Result.Result<Expression, Problem> =>
  parseIn(condition, conditions, "visitor.claims.plan == 'pro'")

/**
 * Parses an expression over other names, with `some`, `every` and `filter` of lists, or returns why it is invalid.
 * `example` is an expression for the message.
 */
export const parseNamed = (
  expression: string,
  names: ReadonlyArray<string>,
  example: string
): Result.Result<Expression, Problem> =>
  parseIn(
    expression,
    {
      syntax: `${names.join(", ")}, literals, !, &&, ||, comparisons, in, includes, startsWith, endsWith, some, every and filter`,
      names: new Set(names)
    },
    example
  )

const parseIn = (
  condition: string,
  language: Language,
  example: string
): Result.Result<Expression, Problem> => {
  // Longer text could nest deeply enough to overflow the stack.
  if (condition.length > maximumExpressionLength * 2) {
    return Result.fail(`must be an expression of at most ${maximumExpressionLength} characters`)
  }
  let node: Node
  try {
    node = parseExpressionAt(condition, 0, { ecmaVersion: 2022, preserveParens: true })
  } catch {
    return Result.fail(`must be an expression, as in ${example}`)
  }
  // The parser stops after the first expression.
  return condition.slice(node.end).trim() === ""
    ? convert(node, language)
    : Result.fail("must be a single expression")
}

/** Parses the expression of a custom rule, or returns why it is invalid. */
export const parseMergeExpression = (expression: string): Result.Result<Expression, Problem> =>
  parseNamed(expression, expressionNames, "reviews.filter(review => review.status == 'approved').length >= 2")
