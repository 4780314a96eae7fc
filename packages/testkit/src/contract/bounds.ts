/** The bounds that a schema declares: what is tried of each field, derived so that none can be forgotten. */
import { type Alternative, alternatives, type Definitions, ofAnotherType, type Schema } from "./Schemas.ts"

/**
 * Schemas that are looked at from outside only: a document is a language of its own, whose nodes have tests of their own,
 * and `api.md` does not show it.
 */
const opaque = new Set(["JSONDocument", "JSONDocumentEncoded"])

/** Whether a schema stands behind one that is only looked at from outside. */
export const isOpaque = ({ names }: Alternative): boolean => names.some((name) => opaque.has(name))

/** The kinds of bounds that one alternative of a field declares. */
export const kindsOf = (schema: Schema): ReadonlyArray<string> => [
  ...(schema.enum === undefined && schema.const === undefined ? [] : ["enum"]),
  ...((schema.minLength ?? 0) === 0 ? [] : ["minLength"]),
  ...(schema.maxLength === undefined ? [] : ["maxLength"]),
  ...(schema.pattern === undefined ? [] : ["pattern"]),
  ...(schema.format === undefined ? [] : ["format"]),
  ...(schema.minimum === undefined ? [] : ["minimum"]),
  ...(schema.maximum === undefined ? [] : ["maximum"]),
  ...((schema.minItems ?? 0) === 0 ? [] : ["minItems"]),
  ...(schema.maxItems === undefined ? [] : ["maxItems"]),
  ...(schema.maxProperties === undefined ? [] : ["maxProperties"]),
  ...(schema.propertyNames === undefined ? [] : ["propertyNames"])
]

/** Whether a place is in an address. */
export const isText = (place: string): boolean => !place.startsWith("body")

/** The kinds of bounds of a field as a whole: of which type it is, and whether it may be null. */
export const fieldKindsOf = (schemas: ReadonlyArray<Schema>, place: string): ReadonlyArray<string> => {
  // An input as a whole is an object, whatever is in it.
  if (!/[.[{]/.test(place)) return []
  const isNullable = schemas.some(({ type }) => type === "null")
  return [
    ...(ofAnotherType(schemas, isText(place)) === undefined ? [] : ["type"]),
    ...(isNullable && schemas.length > 1 ? ["null"] : [])
  ]
}

/** What a schema declares: the fields of what it describes, and their bounds, by place. */
export interface Declared {
  readonly fields: ReadonlyArray<string>
  readonly bounds: ReadonlyArray<string>
}

/**
 * All fields and bounds below a place, such as `body.position.before.type enum`. Items of arrays are `[]`, values of maps
 * `{}`: a bound is declared once, however many there are.
 */
export const declaredBy = (
  definitions: Definitions,
  schema: Schema,
  place: string,
  names: ReadonlyArray<string> = []
): Declared => {
  const found = alternatives(definitions, schema, names).filter((one) => !isOpaque(one))
  const own = [
    ...fieldKindsOf(
      found.map((one) => one.schema),
      place
    ),
    ...found.flatMap((one) => kindsOf(one.schema))
  ]
  const inner = found.flatMap(({ schema: one, names: behind }) => {
    const below = (property: Schema, at: string) => declaredBy(definitions, property, at, behind)
    const properties = Object.entries(one.properties ?? {}).map(([name, property]) => {
      const at = `${place}.${name}`
      const { fields, bounds } = below(property, at)
      const isRequired = one.required?.includes(name) === true
      return { fields: [at, ...fields], bounds: [...(isRequired ? [`${at} required`] : []), ...bounds] }
    })
    const values = one.additionalProperties
    return [
      ...properties,
      ...(one.items === undefined ? [] : [below(one.items, `${place}[]`)]),
      ...(typeof values === "object" ? [below(values, `${place}{}`)] : [])
    ]
  })
  return {
    fields: [...new Set(inner.flatMap(({ fields }) => fields))],
    bounds: [...new Set([...own.map((kind) => `${place} ${kind}`), ...inner.flatMap(({ bounds }) => bounds)])]
  }
}
