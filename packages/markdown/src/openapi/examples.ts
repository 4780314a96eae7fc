/** Generates examples of values from schemas. */
import { entriesOf, isObject, type Json, listOf, type OpenApiDocument, textOf } from "./OpenApiDocument.ts"

/** The maximum depth of a generated value. */
const maximumDepth = 8

/** The maximum number of values of a generated example. */
const maximumValues = 400

const byFormat: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T12:00:00Z",
  date: "2026-01-31",
  time: "12:00:00",
  email: "name@example.com",
  uuid: "123e4567-e89b-12d3-a456-426614174000",
  uri: "https://example.com",
  url: "https://example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  binary: "binary",
  byte: "dGV4dA==",
  password: "password"
}

/** Returns the first declared example of a schema, a parameter or a media type. */
const declaredExample = (document: OpenApiDocument, holder: Json): unknown => {
  if (holder.example !== undefined) return holder.example
  if (Array.isArray(holder.examples)) return holder.examples[0]
  for (const [, given] of entriesOf(holder.examples)) {
    const example = document.object(given)
    if (example !== undefined && "value" in example) return example.value
  }
  return undefined
}

/** Returns an example of a value of a schema. */
export const exampleOfSchema = (document: OpenApiDocument, given: unknown): unknown => {
  let left = maximumValues
  const visit = (value: unknown, depth: number, above: ReadonlyArray<unknown>): unknown => {
    const schema = document.resolve(value)
    if (!isObject(schema) || depth > maximumDepth || left-- <= 0 || above.includes(schema)) return undefined
    const declared = declaredExample(document, schema)
    if (declared !== undefined) return declared
    if (schema.const !== undefined) return schema.const
    if (schema.default !== undefined) return schema.default
    const [first] = listOf(schema.enum)
    if (first !== undefined) return first
    const inside = [...above, schema]
    const parts = listOf(schema.allOf)
    if (parts.length > 0) {
      const values = [...parts, { ...schema, allOf: undefined }].map((part) => visit(part, depth + 1, inside))
      const objects = values.filter(isObject)
      return objects.length > 0 ? Object.assign({}, ...objects) : values.find((one) => one !== undefined)
    }
    const alternative = listOf(schema.oneOf)[0] ?? listOf(schema.anyOf)[0]
    if (alternative !== undefined) {
      const value = visit(alternative, depth + 1, inside)
      if (!isObject(schema.properties) || (value !== undefined && !isObject(value))) return value
      const own = visit({ ...schema, oneOf: undefined, anyOf: undefined }, depth + 1, inside)
      return Object.assign({}, own, value)
    }
    const types = Array.isArray(schema.type) ? schema.type : [schema.type]
    const type = types.find((one) => one !== "null") ?? (isObject(schema.properties) ? "object" : undefined)
    switch (type) {
      case "object": {
        const properties = entriesOf(schema.properties).flatMap(([name, property]) => {
          const one = visit(property, depth + 1, inside)
          return one === undefined ? [] : [[name, one] as const]
        })
        if (properties.length === 0 && isObject(schema.additionalProperties)) {
          const one = visit(schema.additionalProperties, depth + 1, inside)
          return one === undefined ? {} : { key: one }
        }
        return Object.fromEntries(properties)
      }
      case "array": {
        const item = visit(schema.items, depth + 1, inside)
        return item === undefined ? [] : [item]
      }
      case "integer":
      case "number":
        return typeof schema.minimum === "number" ? schema.minimum : 1
      case "boolean":
        return true
      case "string":
        return byFormat[textOf(schema.format)] ?? "text"
      default:
        return undefined
    }
  }
  return visit(given, 0, [])
}

/** Returns an example of a body with a media type, or of a parameter. */
export const exampleOf = (document: OpenApiDocument, holder: Json): unknown =>
  declaredExample(document, holder) ?? exampleOfSchema(document, holder.schema ?? holder)

/** Returns an example as text: JSON for structures. */
export const exampleText = (example: unknown): string =>
  typeof example === "string" ? example : (JSON.stringify(example, undefined, 2) ?? "")
