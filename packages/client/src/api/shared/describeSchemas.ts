/** Gives the schemas of an OpenAPI document their descriptions, which are the doc comments of their source. */
import { descriptions } from "./descriptions.gen.ts"

/** An object of JSON. */
export type Json = Record<string, unknown>

/** Whether a value is an object of JSON. */
export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const unionKeywords = ["anyOf", "oneOf"] as const
const containerKeywords = ["items", "additionalProperties"] as const

const isNull = (schema: unknown): boolean => isJson(schema) && schema.type === "null"

/** Describes the properties of a schema, and those of the schemas in it, by their paths in `known`. */
const describeProperties = (schema: unknown, path: string, known: Readonly<Record<string, string>>): void => {
  if (!isJson(schema)) return
  if (isJson(schema.properties)) {
    for (const [name, property] of Object.entries(schema.properties)) {
      const at = path === "" ? name : `${path}.${name}`
      describeProperties(property, at, known)
      const description = known[at]
      if (isJson(property) && description !== undefined) property.description = description
    }
  }
  for (const keyword of containerKeywords) describeProperties(schema[keyword], path, known)
  for (const keyword of unionKeywords) {
    const members = schema[keyword]
    if (!Array.isArray(members)) continue
    const others = members.filter((member) => !isNull(member))
    for (const [index, member] of others.entries()) {
      // A union with null alone is no union in the source.
      describeProperties(member, others.length === 1 ? path : `${path}#${index}`, known)
    }
  }
}

/** Describes the properties of a page of a list, which is described in place. Leaves other schemas as they are. */
export const describePage = (schema: Json): void => {
  if (isJson(schema.properties) && "items" in schema.properties) {
    describeProperties(schema, "", descriptions.pageOf ?? {})
  }
}

/** Describes the schemas of a document that have an identifier. */
export const describeSchemas = (schemas: Readonly<Record<string, Json>>): void => {
  for (const [identifier, schema] of Object.entries(schemas)) {
    // The generator names the form of a schema on the wire so, where it differs.
    const known = descriptions[identifier] ?? descriptions[identifier.replace(/Encoded$/, "")]
    if (known === undefined) continue
    describeProperties(schema, "", known)
    const own = known[""]
    if (own !== undefined) schema.description ??= own
  }
}
