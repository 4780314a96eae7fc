/** JSON Schemas as OpenAPI documents have them: what they refer to, what they are one of. */

/** Whatever JSON holds. */
export type Json =
  | null
  | boolean
  | number
  | string
  | ReadonlyArray<Json>
  | { readonly [name: string]: Json | undefined }

/** An object of JSON. */
export type JsonObject = { readonly [name: string]: Json | undefined }

/** The keywords of a schema that the suite looks at. */
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

/** Whether a value is an object of JSON. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The schemas of a document, by their names. */
export type Definitions = { readonly [name: string]: Schema }

/** The name of a schema that another refers to. */
const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1)

/** A schema that a value may have to meet, and the names of those it was found behind. */
export interface Alternative {
  readonly schema: Schema
  readonly names: ReadonlyArray<string>
}

/** What a value may be: each of the schemas that it has to meet one of, without references or unions in front. */
export const alternatives = (
  definitions: Definitions,
  schema: Schema,
  names: ReadonlyArray<string> = []
): ReadonlyArray<Alternative> => {
  const { $ref, anyOf, oneOf, allOf, ...rest } = schema
  if ($ref !== undefined) {
    const name = nameOf($ref)
    // What it is inside of itself is known from outside.
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

/** The type of a value, as schemas name it. */
export const typeOf = (value: Json): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  return typeof value
}

/** The types that a schema allows; `number` where it is a whole one too. Empty where it says nothing of types. */
const typesOf = ({ type, enum: choices, const: only }: Schema): ReadonlyArray<string> => {
  if (type !== undefined) return [type === "integer" ? "number" : type]
  return (choices ?? (only === undefined ? [] : [only])).map(typeOf)
}

/** The one value or the values that a schema allows, where it lists them. */
export const valuesOf = ({ enum: choices, const: only }: Schema): ReadonlyArray<Json> | undefined =>
  choices ?? (only === undefined ? undefined : [only])

/** Whether a value has the form of an alternative: its type, the fields it needs, and what tells it from others. */
export const fits = (definitions: Definitions, schema: Schema, value: Json): boolean => {
  const types = typesOf(schema)
  if (types.length > 0 && !types.includes(typeOf(value))) return false
  const values = valuesOf(schema)
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
        alternatives(definitions, property).some((one) => fits(definitions, one.schema, inner))
      )
    })
  )
}

/**
 * A value of none of the types that alternatives have; undefined where any will do, as it does for texts in addresses,
 * where all is text.
 */
export const ofAnotherType = (schemas: ReadonlyArray<Schema>, isText: boolean): Json | undefined => {
  const types = schemas.map(typesOf)
  if (types.some(({ length }) => length === 0)) return undefined
  if (isText) return types.flat().some((type) => type === "string" || type === "array") ? undefined : "text"
  const taken = new Set(types.flat())
  return [7, "text", true, []].find((value) => !taken.has(typeOf(value)))
}
