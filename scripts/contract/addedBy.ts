/** Compares two versions of a contract: the operations and the fields that the later one adds. */
import { type ContractDocument, type Json, operationsOf, serves } from "./contractDocument.ts"

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the fields of a schema itself, including the fields of its alternatives, with whether each is required. */
const fieldsOf = (schema: Json | undefined): ReadonlyMap<string, boolean> => {
  const fields = new Map<string, boolean>()
  const collect = (part: unknown): void => {
    if (!isJson(part)) return
    const required = Array.isArray(part.required) ? part.required : []
    for (const name of Object.keys(isJson(part.properties) ? part.properties : {})) {
      fields.set(name, (fields.get(name) ?? false) || required.includes(name))
    }
    for (const keyword of ["allOf", "anyOf", "oneOf"]) {
      const parts = part[keyword]
      if (Array.isArray(parts)) for (const inner of parts) collect(inner)
    }
  }
  collect(schema)
  return fields
}

/** Lists what a later version adds: its new operations, its new schemas, and the new fields of schemas of both. */
export const addedBy = (supported: ContractDocument, later: ContractDocument): ReadonlyArray<string> => {
  const isKnown = serves(operationsOf(supported))
  const operations = operationsOf(later)
    .filter((operation) => !isKnown(operation))
    .map(({ method, path, id }) => `operation ${method} ${path} (${id})`)
  const known = supported.components?.schemas ?? {}
  const schemas = Object.entries(later.components?.schemas ?? {}).flatMap(([name, schema]) => {
    if (!Object.hasOwn(known, name)) return [`schema ${name}`]
    const before = fieldsOf(known[name])
    return [...fieldsOf(schema)].flatMap(([field, isRequired]) =>
      before.has(field) ? [] : [`field ${name}.${field}${isRequired ? ", required" : ""}`]
    )
  })
  return [...operations, ...schemas]
}
