/** Derives how large the JSON of a schema can be, so that larger JSON is rejected before it is parsed. */
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import { type JsonBounds, maximumJsonBounds } from "./jsonBounds.ts"
import { boundOf, encodedOf } from "./listBounds.ts"

/** The annotation of a check that limits the length of a value as JSON. */
const jsonLengthAnnotation = "lectern/maximumJsonLength"

/** Limits the length of a value as JSON, in characters. */
export const maximumJsonLength = (maximum: number): SchemaAST.Filter<object> =>
  Schema.makeFilter(
    (value: object) =>
      JSON.stringify(value).length <= maximum ? undefined : `must be at most ${maximum} characters of JSON`,
    { [jsonLengthAnnotation]: maximum }
  )

const lengthOf = (ast: SchemaAST.AST): number | undefined => {
  for (const { annotations } of ast.checks ?? []) {
    const length = annotations?.[jsonLengthAnnotation]
    if (typeof length === "number") return length
  }
  return undefined
}

/** The number of values of a schema, and of the keys of its largest object. */
type Size = JsonBounds

const unlimited: Size = { values: Number.POSITIVE_INFINITY, keys: Number.POSITIVE_INFINITY }
const single: Size = { values: 1, keys: 0 }

const largestKeys = (sizes: ReadonlyArray<Size>): number => Math.max(0, ...sizes.map(({ keys }) => keys))
const sumOf = (sizes: ReadonlyArray<Size>): number => sizes.reduce((sum, { values }) => sum + values, 0)

/** The size of a number of equal entries. */
const times = ({ values, keys }: Size, count: number): Size => ({
  values: count === 0 ? 0 : values * count,
  keys
})

/** The sizes of schemas: operations share parts, and some derive their bounds for each request. */
const measured = new WeakMap<SchemaAST.AST, Size>()

/** Returns the size of a schema. A recursive one, which refers to itself by a suspended schema, is unlimited. */
const measure = (schema: SchemaAST.AST): Size => {
  const known = measured.get(schema)
  if (known !== undefined) return known
  const ast = encodedOf(schema)
  const length = lengthOf(schema) ?? lengthOf(ast)
  // A value has at least one character and a separator; an entry of an object has four more.
  const size =
    length === undefined ? sizeOf(ast) : { values: Math.ceil(length / 2), keys: Math.ceil(length / 5) }
  measured.set(schema, size)
  return size
}

const entriesOf = (ast: SchemaAST.AST, entry: SchemaAST.AST | undefined): Size =>
  entry === undefined ? { values: 0, keys: 0 } : times(measure(entry), boundOf(ast)?.maximum ?? Infinity)

const sizeOfObject = (ast: SchemaAST.Objects): Size => {
  const fields = ast.propertySignatures.map(({ type }) => measure(type))
  const entry = ast.indexSignatures[0]?.type
  const entries = entriesOf(ast, entry)
  const ownKeys = fields.length + (entry === undefined ? 0 : (boundOf(ast)?.maximum ?? Infinity))
  return {
    values: 1 + sumOf(fields) + entries.values,
    keys: Math.max(ownKeys, entries.keys, largestKeys(fields))
  }
}

const sizeOf = (ast: SchemaAST.AST): Size => {
  switch (ast._tag) {
    case "Objects":
      // A struct without fields accepts every value.
      return ast.propertySignatures.length + ast.indexSignatures.length === 0 ? unlimited : sizeOfObject(ast)
    case "Arrays": {
      const elements = ast.elements.map(measure)
      const entries = entriesOf(ast, ast.rest[0])
      return {
        values: 1 + sumOf(elements) + entries.values,
        keys: Math.max(entries.keys, largestKeys(elements))
      }
    }
    case "Union": {
      const types = ast.types.map(measure)
      return { values: Math.max(0, ...types.map(({ values }) => values)), keys: largestKeys(types) }
    }
    case "Unknown":
    case "Any":
    case "ObjectKeyword":
    case "Suspend":
    case "Declaration":
      return unlimited
    default:
      return single
  }
}

/** How many values, and keys of an object, JSON can have in fields that its schema does not declare, which are ignored. */
export const undeclaredJson: JsonBounds = { values: 5_000, keys: 1_000 }

/**
 * Returns the bounds of the JSON of a schema: as many values and keys as it can accept, and some more in fields that it does not declare, which
 * clients send with a whole resource. The bounds of all JSON limit a schema that does not.
 */
export const jsonBoundsOf = (
  schema: { readonly ast: SchemaAST.AST },
  undeclared: JsonBounds = undeclaredJson
): JsonBounds => {
  const { values, keys } = measure(schema.ast)
  return {
    values: Math.min(maximumJsonBounds.values, values + undeclared.values),
    keys: Math.min(maximumJsonBounds.keys, keys + undeclared.keys)
  }
}
