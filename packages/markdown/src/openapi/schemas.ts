/** Reads the schemas of an API: types, properties and constraints. */
import { type Expansions, ownAlternativesOf, type Property } from "./Expansions.ts"
import type { OpenApiDocument } from "./OpenApiDocument.ts"
import { isObject, type Json, listOf, type Resolve, textOf } from "./openApiReferences.ts"

/** The maximum depth of types. */
const maximumDepth = 6

/** The maximum length of a type, in characters. */
const maximumTypeLength = 500

/** The maximum number of properties of a table. */
export const maximumProperties = 200

/** The length of the name of a property, in characters, from which the properties nested in it are omitted. */
const maximumNameLength = 1_000

/** The maximum number of allowed values that are listed. */
const maximumChoices = 50

/** The maximum length of a constraint, in characters. */
const maximumConstraintLength = 200

/** The name of the target of a reference: its last part. */
const nameOf = (reference: string): string => {
  const name = reference.split("/").at(-1) ?? reference
  return name.includes("%") ? name.replace(/%20/g, " ") : name
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

/** The text of each structure, which many schemas can have in common. */
const knownTexts = new WeakMap<object, string>()

const constraintText = (value: unknown): string => {
  if (typeof value === "string") return value.slice(0, maximumConstraintLength)
  if (typeof value !== "object" || value === null)
    return (JSON.stringify(value) ?? "").slice(0, maximumConstraintLength)
  const text = knownTexts.get(value) ?? (JSON.stringify(value) ?? "").slice(0, maximumConstraintLength)
  knownTexts.set(value, text)
  return text
}

/** Returns the constraints of a schema, with another example if one is given. */
export const constraintsOf = (schema: Json, example?: unknown): ReadonlyArray<Constraint> => {
  const choices = listOf(schema.enum)
  const options = [
    ...choices.slice(0, maximumChoices).map(constraintText),
    ...(choices.length > maximumChoices ? ["…"] : [])
  ]
  const valueOf = (kind: (typeof singleValues)[number]): unknown =>
    kind === "example" ? (example ?? schema.example ?? listOf(schema.examples)[0]) : schema[kind]
  return [
    ...(choices.length === 0 ? [] : [{ kind: "options" as const, values: options }]),
    ...singleValues.flatMap((kind) => {
      const value = valueOf(kind)
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

/** The maximum number of references on the path of a property. */
const maximumReferences = 50

/** Returns the schema whose properties are nested in a schema, or undefined after a cycle. */
const nestedIn = ({ schema: given, prefix, references }: Nested, resolve: Resolve): Nested | undefined => {
  if (references.size > maximumReferences || prefix.length > maximumNameLength) return undefined
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
  { depth, includesReferences }: Nesting,
  expansions: Expansions
): ReadonlyArray<Property> => {
  const found: Array<Property> = []
  const visit = (nested: Nested | undefined, remaining: number): void => {
    if (nested === undefined || remaining === 0) return
    const { prefix, references } = nested
    for (const property of expansions.expand(nested.schema, resolve).properties) {
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
