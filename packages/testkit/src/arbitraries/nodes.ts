/** What generating and breaking values has to know of a schema, read from its tree. */
import { SchemaAST } from "effect"

/** A node of a schema. */
export type Node = SchemaAST.AST

/** The bounds that the checks of a node declare, for those who make values that keep to them or break them. */
export interface Bounds {
  readonly minLength: number
  readonly maxLength: number
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly maxProperties: number
  readonly isInteger: boolean
  readonly patterns: ReadonlyArray<RegExp>
}

type Filter = SchemaAST.Filter<unknown>

const flat = (checks: ReadonlyArray<SchemaAST.Check<unknown>>): ReadonlyArray<Filter> =>
  checks.flatMap((check) => (check._tag === "Filter" ? [check] : flat(check.checks)))

/** The checks of a node itself, those of groups one by one. */
export const checksOf = (node: Node): ReadonlyArray<Filter> => flat(node.checks ?? [])

/** Whether a value passes the checks of a node itself; whether it is of its shape is not asked. */
export const passes = (node: Node, value: unknown): boolean =>
  checksOf(node).every((check) => {
    try {
      return check.run(value, node, {}) === undefined
    } catch {
      return false
    }
  })

const numberOr = <A>(value: unknown, otherwise: A): number | A =>
  typeof value === "number" ? value : otherwise

/** The bounds of a node. What its checks do not declare, they do not tell either. */
export const boundsOf = (node: Node): Bounds => {
  const declared = checksOf(node).flatMap((check) => check.annotations?.arbitraryConstraint ?? [])
  const least = (values: ReadonlyArray<number | undefined>, otherwise: number) =>
    Math.min(otherwise, ...values.filter((value) => value !== undefined))
  const minima = declared.flatMap(({ minimum }) => (typeof minimum === "number" ? [minimum] : []))
  const maxima = declared.flatMap(({ maximum }) => (typeof maximum === "number" ? [maximum] : []))
  return {
    minLength: Math.max(0, ...declared.map(({ minLength }) => numberOr(minLength, 0))),
    maxLength: least(
      declared.map(({ maxLength }) => maxLength),
      Number.POSITIVE_INFINITY
    ),
    minimum: minima.length === 0 ? undefined : Math.max(...minima),
    maximum: maxima.length === 0 ? undefined : Math.min(...maxima),
    maxProperties: least(
      declared.map(({ maxProperties }) => maxProperties),
      Number.POSITIVE_INFINITY
    ),
    isInteger: declared.some(({ number }) => number === "integer"),
    patterns: declared.flatMap(({ patterns }) =>
      (patterns ?? []).map(({ source, flags }) => new RegExp(source, flags))
    )
  }
}

/** What kind of value JSON has for something. */
export type JsonKind = "null" | "boolean" | "number" | "string" | "array" | "object"

/** Every kind of value that JSON has. */
export const jsonKinds: ReadonlyArray<JsonKind> = ["null", "boolean", "number", "string", "array", "object"]

/** The kind of a value. */
export const kindOf = (value: unknown): JsonKind =>
  value === null || value === undefined
    ? "null"
    : Array.isArray(value)
      ? "array"
      : (typeof value as Exclude<JsonKind, "null" | "array">)

/** The kinds of values that a node takes, as they are sent: nothing of another kind is ever accepted. */
export const kindsOf = (node: Node): ReadonlySet<JsonKind> => {
  const sent = SchemaAST.toEncoded(node)
  switch (sent._tag) {
    case "Never":
      return new Set()
    case "Null":
      return new Set(["null"])
    case "String":
    case "TemplateLiteral":
      return new Set(["string"])
    case "Number":
      return new Set(["number"])
    case "Boolean":
      return new Set(["boolean"])
    case "Literal":
      return new Set([kindOf(sent.literal)])
    case "Arrays":
      return new Set(["array"])
    case "Objects":
      return new Set(["object"])
    case "Union":
      return new Set(sent.types.flatMap((type) => [...kindsOf(type)]))
    case "Suspend":
      return kindsOf(sent.thunk())
    default:
      return new Set(jsonKinds)
  }
}

/** Whether a field may be left out. */
export const isOptional = (node: Node): boolean => SchemaAST.isOptional(SchemaAST.toEncoded(node))
