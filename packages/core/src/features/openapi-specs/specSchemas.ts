/** Schemas of an API, in words: what a value is, and what its parts are. */
import type { Json, Resolve } from "./openApiReferences.ts"
import { isObject, textOf } from "./openApiReferences.ts"

/** The name of what a reference leads to: its last part. */
export const nameOf = (reference: string): string =>
  decodeURIComponent(reference.split("/").at(-1) ?? reference)

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** What a value is, in a few words, as in `array of Pet`. What refers to something is called by its name. */
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

/** What can be said of a value beside its type: its description, its choices, its default. */
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

/** How far parts of a schema are followed that are made of others. */
const maximumSchemaDepth = 5

/** The properties of an object, those of what it is made of too, each once. */
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
