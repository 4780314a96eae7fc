/** Lists the fields and bounds that a schema declares, so that coverage is complete by construction. */
import { type Alternative, alternatives, type Definitions, type Schema, valueOfOtherType } from "./Schemas.ts"

/**
 * Schemas whose fields are not covered: documents, whose nodes have their own tests and are not part of the
 * specification.
 */
const opaqueSchemas = new Set(["JSONDocument", "JSONDocumentEncoded"])

/** Whether an alternative was resolved through an opaque schema. */
export const isOpaque = ({ names }: Alternative): boolean => names.some((name) => opaqueSchemas.has(name))

/** Returns the keywords of the bounds that one alternative of a field declares. */
export const boundKindsOf = (schema: Schema): ReadonlyArray<string> => [
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

/** Whether a place is a parameter of the path or the query, and not in the body. */
export const isParameterPlace = (place: string): boolean => !place.startsWith("body")

/**
 * Returns the bounds of a field with all its alternatives: `type` if it is restricted, and `null` if it is nullable.
 */
export const fieldBoundKindsOf = (schemas: ReadonlyArray<Schema>, place: string): ReadonlyArray<string> => {
  // The input as a whole is always an object.
  if (!/[.[{]/.test(place)) return []
  const isNullable = schemas.some(({ type }) => type === "null")
  return [
    ...(valueOfOtherType(schemas, isParameterPlace(place)) === undefined ? [] : ["type"]),
    ...(isNullable && schemas.length > 1 ? ["null"] : [])
  ]
}

/** The fields and bounds that a schema declares, by place. */
export interface DeclaredParts {
  readonly fields: ReadonlyArray<string>
  readonly bounds: ReadonlyArray<string>
}

/**
 * Returns all fields and bounds below a place, such as `body.position.before.type enum`. The place of array items ends
 * in `[]`, that of map values in `{}`.
 */
export const declaredBy = (
  definitions: Definitions,
  schema: Schema,
  place: string,
  names: ReadonlyArray<string> = []
): DeclaredParts => {
  const found = alternatives(definitions, schema, names).filter((one) => !isOpaque(one))
  const own = [
    ...fieldBoundKindsOf(
      found.map((one) => one.schema),
      place
    ),
    ...found.flatMap((one) => boundKindsOf(one.schema))
  ]
  const inner = found.flatMap(({ schema: one, names: resolvedNames }) => {
    const below = (property: Schema, at: string) => declaredBy(definitions, property, at, resolvedNames)
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
