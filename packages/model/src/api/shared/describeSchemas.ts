/** Adds descriptions to the schemas of an OpenAPI document: the doc comments of their sources. */
import { descriptions } from "./descriptions.gen.ts"

/** A JSON object. */
export type Json = Record<string, unknown>

/** Whether a value is a JSON object. */
export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const unionKeywords = ["anyOf", "oneOf"] as const
const containerKeywords = ["items", "additionalProperties"] as const

const isNull = (schema: unknown): boolean => isJson(schema) && schema.type === "null"

/** Adds descriptions to the properties of a schema and of its nested schemas, by their paths. */
const describeProperties = (schema: unknown, path: string, texts: Readonly<Record<string, string>>): void => {
  if (!isJson(schema)) return
  if (isJson(schema.properties)) {
    for (const [name, property] of Object.entries(schema.properties)) {
      const at = path === "" ? name : `${path}.${name}`
      describeProperties(property, at, texts)
      const description = texts[at]
      if (isJson(property) && description !== undefined) property.description = description
    }
  }
  for (const keyword of containerKeywords) describeProperties(schema[keyword], path, texts)
  for (const keyword of unionKeywords) {
    const members = schema[keyword]
    if (!Array.isArray(members)) continue
    const others = members.filter((member) => !isNull(member))
    for (const [index, member] of others.entries()) {
      // In the source, a nullable schema is not a union, so its path has no index.
      describeProperties(member, others.length === 1 ? path : `${path}#${index}`, texts)
    }
  }
}

/** Describes the properties of a page of a list, whose schema has no identifier. Does not change other schemas. */
export const describePage = (schema: Json): void => {
  if (isJson(schema.properties) && "items" in schema.properties) {
    describeProperties(schema, "", descriptions.pageOf ?? {})
  }
}

/** Describes the schemas of a document that have an identifier, and their properties. */
export const describeSchemas = (schemas: Readonly<Record<string, Json>>): void => {
  for (const [identifier, schema] of Object.entries(schemas)) {
    // The generator adds this suffix to the encoded side of a schema.
    const texts = descriptions[identifier] ?? descriptions[identifier.replace(/Encoded$/, "")]
    if (texts === undefined) continue
    describeProperties(schema, "", texts)
    const description = texts[""]
    if (description !== undefined) schema.description ??= description
  }
}
