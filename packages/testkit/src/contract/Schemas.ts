/** JSON Schemas of OpenAPI documents: their types, and the resolution of references and unions. */

/** A JSON value. */
export type Json =
  | null
  | boolean
  | number
  | string
  | ReadonlyArray<Json>
  | { readonly [name: string]: Json | undefined }

/** A JSON object. */
export type JsonObject = { readonly [name: string]: Json | undefined }

/** The keywords of a JSON Schema that the suite supports. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<Json>
  readonly const?: Json
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly items?: Schema
  readonly properties?: { readonly [name: string]: Schema }
  readonly required?: ReadonlyArray<string>
  readonly propertyNames?: Schema
  readonly additionalProperties?: boolean | Schema
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
}

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The schemas of a document, by name. */
export type Definitions = { readonly [name: string]: Schema }

/** Converts each value of an object. */
export const mapValues = <A>(
  values: { readonly [name: string]: A },
  convert: (value: A) => A
): { readonly [name: string]: A } =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, convert(value)]))

/**
 * Forbids fields that a schema does not declare, at every depth. Documents permit them, because clients accept the fields of later
 * versions, but a server declares every field that it returns. The parts of `allOf` remain open: each declares some of the fields.
 */
export const closeSchema = (schema: Schema): Schema => {
  const { properties, items, additionalProperties, anyOf, oneOf, allOf } = schema
  const declaresFields = properties !== undefined && allOf === undefined
  return {
    ...schema,
    ...(properties && { properties: mapValues(properties, closeSchema) }),
    ...(items && { items: closeSchema(items) }),
    ...(declaresFields && additionalProperties === undefined && { additionalProperties: false }),
    ...(typeof additionalProperties === "object" && {
      additionalProperties: closeSchema(additionalProperties)
    }),
    ...(anyOf && { anyOf: anyOf.map(closeSchema) }),
    ...(oneOf && { oneOf: oneOf.map(closeSchema) })
  }
}

/** Returns the name of the schema that a `$ref` refers to. */
const definitionName = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1)

/** One alternative of a schema, without references and unions. */
export interface Alternative {
  readonly schema: Schema
  /** The names of the definitions through which it was resolved, innermost first. */
  readonly names: ReadonlyArray<string>
}

/** Resolves references and unions: a value is valid if it matches one of the returned alternatives. */
export const alternatives = (
  definitions: Definitions,
  schema: Schema,
  names: ReadonlyArray<string> = []
): ReadonlyArray<Alternative> => {
  const { $ref, anyOf, oneOf, allOf, ...rest } = schema
  if ($ref !== undefined) {
    const name = definitionName($ref)
    // A recursive definition adds nothing to its own alternatives.
    if (names.includes(name)) return []
    return alternatives(definitions, { ...definitions[name], ...rest }, [...names, name])
  }
  const choices = anyOf ?? oneOf
  if (choices !== undefined) {
    return choices.flatMap((choice) => alternatives(definitions, { ...rest, ...choice }, names))
  }
  if (allOf === undefined) return [{ schema: rest, names }]
  const parts = allOf.flatMap((part) => alternatives(definitions, part, names))
  const merged: Schema = Object.assign({}, rest, ...parts.map((part) => part.schema))
  return [{ schema: merged, names: [...new Set(parts.flatMap((part) => part.names)), ...names] }]
}

/** Returns the JSON Schema type of a value. */
export const typeOf = (value: Json): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  return typeof value
}

/** Returns the types that a schema allows, with `number` for `integer`; empty if it does not restrict them. */
const typesOf = ({ type, enum: choices, const: only }: Schema): ReadonlyArray<string> => {
  if (type !== undefined) return [type === "integer" ? "number" : type]
  return (choices ?? (only === undefined ? [] : [only])).map(typeOf)
}

/** Returns the values of `enum` or `const`; undefined if the schema has neither. */
export const allowedValuesOf = ({ enum: choices, const: only }: Schema): ReadonlyArray<Json> | undefined =>
  choices ?? (only === undefined ? undefined : [only])

/** Whether a value has the type, the required fields and the discriminators of an alternative. Ignores bounds. */
export const matchesAlternative = (definitions: Definitions, schema: Schema, value: Json): boolean => {
  const types = typesOf(schema)
  if (types.length > 0 && !types.includes(typeOf(value))) return false
  const values = allowedValuesOf(schema)
  if (values !== undefined && !values.includes(value)) return false
  if (!isObject(value) || schema.properties === undefined) return true
  const { properties, required = [] } = schema
  return (
    required.every((name) => value[name] !== undefined) &&
    Object.entries(value).every(([name, inner]) => {
      const property = properties[name]
      if (property === undefined) return schema.additionalProperties !== false
      return (
        inner === undefined ||
        alternatives(definitions, property).some((one) => matchesAlternative(definitions, one.schema, inner))
      )
    })
  )
}

/**
 * Returns a value of a type that the schemas do not allow; undefined if any type is allowed. With `isText`, the value
 * is for a parameter of a URL, where every value is text.
 */
export const valueOfOtherType = (schemas: ReadonlyArray<Schema>, isText: boolean): Json | undefined => {
  const types = schemas.map(typesOf)
  if (types.some(({ length }) => length === 0)) return undefined
  if (isText) return types.flat().some((type) => type === "string" || type === "array") ? undefined : "text"
  const allowed = new Set(types.flat())
  return [7, "text", true, []].find((value) => !allowed.has(typeOf(value)))
}
