/** Describes the schemas of an API in text: types, properties and remarks. */
import type { Json, Resolve } from "./openApiReferences.ts"
import { isObject, textOf } from "./openApiReferences.ts"
import { list } from "./specMarkdown.ts"

/** The name of the target of a reference: its last part. */
const nameOf = (reference: string): string => {
  const name = reference.split("/").at(-1) ?? reference
  return name.includes("%") ? name.replace(/%20/g, " ") : name
}

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
    schema.default === undefined ? "" : `Default: \`${JSON.stringify(schema.default)}\`.`,
    schema.example === undefined || typeof schema.example === "object"
      ? ""
      : `Example: \`${JSON.stringify(schema.example)}\`.`
  ]
    .filter((part) => part !== "")
    .join(" ")
}

/** A property of an object. */
export interface Property {
  /** Its name, with the names of its ancestors: `owner.name`, `items[].id`. */
  readonly name: string
  readonly schema: unknown
  readonly isRequired: boolean
}

/** The maximum depth of nested `allOf` schemas, and the maximum number of schemas that they include in all. */
const maximumAllOf = { depth: 5, schemas: 200 }

/** The maximum number of properties of a table. */
export const maximumProperties = 200

/** Returns the properties of an object schema and of its `allOf` schemas. Own properties replace inherited ones. */
const propertiesOf = (root: unknown, resolve: Resolve): Iterable<Property> => {
  let remaining = maximumAllOf.schemas
  const collect = (given: unknown, depth: number): ReadonlyMap<string, Property> => {
    const schema = resolve(given)
    const found = new Map<string, Property>()
    if (!isObject(schema) || depth > maximumAllOf.depth || --remaining < 0) return found
    for (const part of list(schema.allOf)) {
      for (const [name, property] of collect(part, depth + 1)) found.set(name, property)
    }
    const required = new Set(list(schema.required))
    for (const [name, inner] of isObject(schema.properties)
      ? Object.entries(schema.properties as Json)
      : []) {
      found.set(name, { name, schema: inner, isRequired: required.has(name) })
    }
    return found
  }
  return collect(root, 0).values()
}

const isNull = (schema: unknown): boolean => isObject(schema) && schema.type === "null"

/** A schema whose properties are nested: of an object, of the items of an array, or of the values of a map. */
interface Nested {
  readonly schema: unknown
  /** The prefix of its properties. */
  readonly prefix: string
  /** The references on its path. A repeated one is a cycle. */
  readonly references: ReadonlySet<string>
}

/** Returns the schema whose properties are nested in a schema, or undefined after a cycle. */
const nestedIn = ({ schema: given, prefix, references }: Nested, resolve: Resolve): Nested | undefined => {
  let followed = references
  if (isObject(given) && typeof given.$ref === "string") {
    if (references.has(given.$ref)) return undefined
    followed = new Set([...references, given.$ref])
  }
  const schema = resolve(given)
  if (!isObject(schema)) return undefined
  const next = (inner: unknown, name: string) =>
    nestedIn({ schema: inner, prefix: name, references: followed }, resolve)
  if (schema.items !== undefined) return next(schema.items, `${prefix}[]`)
  const choices = [...list(schema.oneOf), ...list(schema.anyOf)].filter((choice) => !isNull(choice))
  if (choices.length === 1) return next(choices[0], prefix)
  if (isObject(schema.additionalProperties) && schema.properties === undefined) {
    return next(schema.additionalProperties, prefix === "" ? "*" : `${prefix}.*`)
  }
  return { schema, prefix, references: followed }
}

/** The extent of {@link nestedPropertiesOf}. */
export interface Nesting {
  /** The number of levels. */
  readonly depth: number
  /** Whether the properties of schemas that properties reference are included. */
  readonly includesReferences: boolean
}

const isReference = (schema: unknown): boolean =>
  isObject(schema) &&
  (typeof schema.$ref === "string" ||
    isReference(schema.items) ||
    [...list(schema.oneOf), ...list(schema.anyOf)].some(isReference) ||
    isReference(schema.additionalProperties))

/**
 * Returns the properties of a schema and of the schemas nested in it, each after its parent. At most
 * {@link maximumProperties} and one more.
 */
export const nestedPropertiesOf = (
  given: unknown,
  resolve: Resolve,
  { depth, includesReferences }: Nesting
): ReadonlyArray<Property> => {
  const found: Array<Property> = []
  const visit = (nested: Nested | undefined, remaining: number): void => {
    if (nested === undefined || remaining === 0) return
    const { prefix, references } = nested
    for (const property of propertiesOf(nested.schema, resolve)) {
      if (found.length > maximumProperties) return
      const name = prefix === "" ? property.name : `${prefix}.${property.name}`
      found.push({ ...property, name })
      if (!includesReferences && isReference(property.schema)) continue
      visit(nestedIn({ schema: property.schema, prefix: name, references }, resolve), remaining - 1)
    }
  }
  visit(nestedIn({ schema: given, prefix: "", references: new Set() }, resolve), depth)
  return found
}
