/** Reads the schemas of an API: types, properties and constraints. */
import type { OpenApiDocument } from "./OpenApiDocument.ts"
import { entriesOf, isObject, type Json, listOf, type Resolve, textOf } from "./openApiReferences.ts"

/** The maximum depth of types and of nested `allOf` schemas. */
const maximumDepth = 6

/** The maximum number of schemas that the properties of one are collected from. */
const maximumSchemas = 200

/** The maximum number of properties that are collected from them, of which each heir has its own. */
const maximumCollected = 3_000

/** The maximum length of a type, in characters. */
const maximumTypeLength = 500

/** The maximum number of properties of a table. */
export const maximumProperties = 200

/** The maximum number of allowed values that are listed. */
const maximumChoices = 50

/** The maximum length of a constraint, in characters. */
const maximumConstraintLength = 200

/** The name of the target of a reference: its last part. */
const nameOf = (reference: string): string => {
  const name = reference.split("/").at(-1) ?? reference
  return name.includes("%") ? name.replace(/%20/g, " ") : name
}

/** A property of an object. */
export interface Property {
  /** Its name. In a table also the names of its ancestors: `owner.name`, `items[].id`. */
  readonly name: string
  /** Its schema, which may be a reference. */
  readonly schema: unknown
  /** Whether the object must have it. */
  readonly isRequired: boolean
}

/** Returns the properties of an object schema and of its `allOf` schemas. Own properties replace inherited ones. */
export const propertiesOf = (root: unknown, resolve: Resolve): ReadonlyArray<Property> => {
  let left = maximumSchemas
  let free = maximumCollected
  const collect = (given: unknown, depth: number): ReadonlyMap<string, Property> => {
    const schema = resolve(given)
    const found = new Map<string, Property>()
    if (!isObject(schema) || depth > maximumDepth || --left < 0) return found
    const required = new Set(listOf(schema.required))
    for (const part of listOf(schema.allOf)) {
      for (const [name, property] of collect(part, depth + 1)) {
        if (--free < 0) return found
        found.set(name, { ...property, isRequired: property.isRequired || required.has(name) })
      }
    }
    for (const [name, inner] of entriesOf(schema.properties)) {
      if (--free < 0) return found
      found.set(name, { name, schema: inner, isRequired: required.has(name) })
    }
    return found
  }
  return [...collect(root, 0).values()]
}

const ownAlternativesOf = (schema: Json): ReadonlyArray<unknown> => [
  ...listOf(schema.oneOf),
  ...listOf(schema.anyOf)
]

/** Returns the alternatives of a schema and of its `allOf` schemas. */
export const alternativesOf = (root: Json, resolve: Resolve): ReadonlyArray<unknown> => {
  let left = maximumSchemas
  const collect = (schema: unknown, depth: number): ReadonlyArray<unknown> => {
    if (!isObject(schema) || depth > maximumDepth || --left < 0) return []
    const inherited = listOf(schema.allOf).flatMap((part) => collect(resolve(part), depth + 1))
    return [...inherited, ...ownAlternativesOf(schema)]
  }
  return collect(root, 0)
}

/** The types of schemas by their depth. Alternatives with alternatives would otherwise be read an exponential number of times. */
const knownTypes = new WeakMap<OpenApiDocument, WeakMap<object, Array<string>>>()

/** Returns the type of a schema as text, such as `Pet[]` or `string (date)`. References to objects have the name of their target. */
export const typeOf = (document: OpenApiDocument, given: unknown, depth = 0): string => {
  if (!isObject(given) || depth > maximumDepth) return "any"
  const ofDocument = knownTypes.get(document) ?? new WeakMap<object, Array<string>>()
  knownTypes.set(document, ofDocument)
  const byDepth = ofDocument.get(given) ?? []
  ofDocument.set(given, byDepth)
  byDepth[depth] ??= shorten(readType(document, given, depth))
  return byDepth[depth]
}

const shorten = (type: string): string =>
  type.length > maximumTypeLength ? `${type.slice(0, maximumTypeLength).toWellFormed()}…` : type

const readType = (document: OpenApiDocument, given: Json, depth: number): string => {
  const reference = typeof given.$ref === "string" ? nameOf(given.$ref) : undefined
  const schema = document.object(given)
  if (schema === undefined) return reference ?? "any"
  const alternatives = ownAlternativesOf(schema)
  if (alternatives.length > 0) {
    return reference ?? [...new Set(alternatives.map((one) => typeOf(document, one, depth + 1)))].join(" | ")
  }
  const types = [...new Set(Array.isArray(schema.type) ? schema.type : [schema.type])].filter(
    (type) => typeof type === "string"
  )
  const words = types.map((type) =>
    type === "array" ? `${typeOf(document, schema.items, depth + 1)}[]` : type
  )
  const hasProperties = isObject(schema.properties) || listOf(schema.allOf).length > 0
  const own = words.length > 0 ? words.join(" | ") : hasProperties ? "object" : "any"
  const named = own === "object" && reference !== undefined ? reference : own
  const format = textOf(schema.format)
  return `${named}${format === "" ? "" : ` (${format})`}${schema.nullable === true ? " | null" : ""}`
}

/** The constraints with one value, in the order of their display. */
const singleValues = [
  "default",
  "example",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "pattern"
] as const

/** A constraint or an annotation of a value. */
export interface Constraint {
  /** The limit or the annotation. */
  readonly kind: "options" | (typeof singleValues)[number]
  /** The values as text, of which options have several: JSON, except for strings. Long ones are truncated. */
  readonly values: ReadonlyArray<string>
}

const constraintText = (value: unknown): string =>
  (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).slice(0, maximumConstraintLength)

/** Returns the constraints of a schema. */
export const constraintsOf = (schema: Json): ReadonlyArray<Constraint> => {
  const choices = listOf(schema.enum)
  const options = [
    ...choices.slice(0, maximumChoices).map(constraintText),
    ...(choices.length > maximumChoices ? ["…"] : [])
  ]
  const given: Json = { ...schema, example: schema.example ?? listOf(schema.examples)[0] }
  return [
    ...(choices.length === 0 ? [] : [{ kind: "options" as const, values: options }]),
    ...singleValues.flatMap((kind) => {
      const value = given[kind]
      return value === undefined || value === null ? [] : [{ kind, values: [constraintText(value)] }]
    })
  ]
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
  const choices = ownAlternativesOf(schema).filter((choice) => !isNull(choice))
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
    ownAlternativesOf(schema).some(isReference) ||
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
