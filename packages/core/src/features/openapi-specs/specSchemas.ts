/** Describes the schemas of an API in text: types, properties and remarks. */
import type { Json, Resolve } from "./openApiReferences.ts"
import { isObject, textOf } from "./openApiReferences.ts"

/** The name of the target of a reference: its last part. */
export const nameOf = (reference: string): string =>
  decodeURIComponent(reference.split("/").at(-1) ?? reference)

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** The type of a value as text, as in `array of Pet`. References have the name of their target. */
export const typeOf = (schema: unknown): string => {
  if (!isObject(schema)) return "any"
  if (typeof schema.$ref === "string") return nameOf(schema.$ref)
  for (const [key, word] of [
    ["oneOf", " or "],
    ["anyOf", " or "],
    ["allOf", " and "]
  ] as const) {
    const parts = list(schema[key])
    if (parts.length > 0) return parts.map(typeOf).join(word)
  }
  const types = typeof schema.type === "string" ? [schema.type] : list(schema.type).map(String)
  const words = types.map((type) => (type === "array" ? `array of ${typeOf(schema.items)}` : type))
  const plain = words.length > 0 ? words.join(" or ") : isObject(schema.properties) ? "object" : "any"
  const format = typeof schema.format === "string" ? ` (${schema.format})` : ""
  return plain + format + (schema.nullable === true ? " or null" : "")
}

/** The description, allowed values and default of a value, as text. */
export const remarksOf = (schema: unknown): string => {
  if (!isObject(schema)) return ""
  const choices = list(schema.enum)
  return [
    textOf(schema.description),
    schema.deprecated === true ? "Deprecated." : "",
    choices.length === 0 ? "" : `One of ${choices.map((one) => `\`${String(one)}\``).join(", ")}.`,
    schema.default === undefined ? "" : `Default: \`${JSON.stringify(schema.default)}\`.`
  ]
    .filter((part) => part !== "")
    .join(" ")
}

/** A property of an object. */
export interface Property {
  readonly name: string
  readonly schema: unknown
  readonly isRequired: boolean
}

/** The maximum depth of nested `allOf` schemas. */
const maximumSchemaDepth = 5

/** Returns the properties of an object schema and of its `allOf` schemas. Own properties replace inherited ones. */
export const propertiesOf = (given: unknown, resolve: Resolve, depth = 0): ReadonlyArray<Property> => {
  const schema = resolve(given)
  if (!isObject(schema) || depth > maximumSchemaDepth) return []
  const required = new Set(list(schema.required))
  const own = isObject(schema.properties) ? Object.entries(schema.properties as Json) : []
  const parts = list(schema.allOf).flatMap((part) => propertiesOf(part, resolve, depth + 1))
  const found = new Map(parts.map((property) => [property.name, property]))
  for (const [name, inner] of own) found.set(name, { name, schema: inner, isRequired: required.has(name) })
  return [...found.values()]
}
