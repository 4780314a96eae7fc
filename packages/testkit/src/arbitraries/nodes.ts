/** Queries on the syntax tree of a schema, for arbitraries. */
import { SchemaAST } from "effect"

/** A node of the syntax tree of a schema: `schema.ast`. */
export type SchemaNode = SchemaAST.AST

/** The bounds that the checks of a node declare. */
export interface Bounds {
  /** The minimum length of a string or list; 0 by default. */
  readonly minLength: number
  /** The maximum length of a string or list; infinite by default. */
  readonly maxLength: number
  /** The minimum of a number. */
  readonly minimum: number | undefined
  /** The maximum of a number. */
  readonly maximum: number | undefined
  /** The maximum number of properties of an object; infinite by default. */
  readonly maxProperties: number
  /** Whether a number must be an integer. */
  readonly isInteger: boolean
  /** The patterns that a string must match, all of them. */
  readonly patterns: ReadonlyArray<RegExp>
}

type Filter = SchemaAST.Filter<unknown>

const flattenChecks = (checks: ReadonlyArray<SchemaAST.Check<unknown>>): ReadonlyArray<Filter> =>
  checks.flatMap((check) => (check._tag === "Filter" ? [check] : flattenChecks(check.checks)))

/** Returns the checks of a node itself, with groups flattened. */
export const checksOf = (node: SchemaNode): ReadonlyArray<Filter> => flattenChecks(node.checks ?? [])

/** Whether a value passes the checks of a node itself. The value must have the type of the node. */
export const passesChecks = (node: SchemaNode, value: unknown): boolean =>
  checksOf(node).every((check) => {
    try {
      return check.run(value, node, {}) === undefined
    } catch {
      return false
    }
  })

const numberOr = <A>(value: unknown, otherwise: A): number | A =>
  typeof value === "number" ? value : otherwise

/** Returns the bounds of a node, as far as its checks declare them (as `arbitraryConstraint` annotations). */
export const boundsOf = (node: SchemaNode): Bounds => {
  const declared = checksOf(node).flatMap((check) => check.annotations?.arbitraryConstraint ?? [])
  const minimumOf = (values: ReadonlyArray<number | undefined>, otherwise: number) =>
    Math.min(otherwise, ...values.filter((value) => value !== undefined))
  const minima = declared.flatMap(({ minimum }) => (typeof minimum === "number" ? [minimum] : []))
  const maxima = declared.flatMap(({ maximum }) => (typeof maximum === "number" ? [maximum] : []))
  return {
    minLength: Math.max(0, ...declared.map(({ minLength }) => numberOr(minLength, 0))),
    maxLength: minimumOf(
      declared.map(({ maxLength }) => maxLength),
      Number.POSITIVE_INFINITY
    ),
    minimum: minima.length === 0 ? undefined : Math.max(...minima),
    maximum: maxima.length === 0 ? undefined : Math.min(...maxima),
    maxProperties: minimumOf(
      declared.map(({ maxProperties }) => maxProperties),
      Number.POSITIVE_INFINITY
    ),
    isInteger: declared.some(({ number }) => number === "integer"),
    patterns: declared.flatMap(({ patterns }) =>
      (patterns ?? []).map(({ source, flags }) => new RegExp(source, flags))
    )
  }
}

/** A kind of JSON value. */
export type JsonKind = "null" | "boolean" | "number" | "string" | "array" | "object"

/** All kinds of JSON values. */
export const jsonKinds: ReadonlyArray<JsonKind> = ["null", "boolean", "number", "string", "array", "object"]

/** Returns the JSON kind of a value; `null` for undefined. */
export const jsonKindOf = (value: unknown): JsonKind =>
  value === null || value === undefined
    ? "null"
    : Array.isArray(value)
      ? "array"
      : (typeof value as Exclude<JsonKind, "null" | "array">)

/** Returns the JSON kinds of the encoded values that a node accepts. Values of other kinds are always invalid. */
export const acceptedKindsOf = (node: SchemaNode): ReadonlySet<JsonKind> => {
  const encoded = SchemaAST.toEncoded(node)
  switch (encoded._tag) {
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
      return new Set([jsonKindOf(encoded.literal)])
    case "Arrays":
      return new Set(["array"])
    case "Objects":
      return new Set(["object"])
    case "Union":
      return new Set(encoded.types.flatMap((type) => [...acceptedKindsOf(type)]))
    case "Suspend":
      return acceptedKindsOf(encoded.thunk())
    default:
      return new Set(jsonKinds)
  }
}

/** Whether a field is optional in encoded form. */
export const isOptional = (node: SchemaNode): boolean => SchemaAST.isOptional(SchemaAST.toEncoded(node))
