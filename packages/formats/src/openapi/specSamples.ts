/** Creates sample values from schemas. */
import { isObject, type Json, type Resolve } from "./openApiReferences.ts"
import { entries, list } from "./specMarkdown.ts"

/** The maximum depth and the maximum number of values of a sample. */
const maximumDepth = 5
const maximumValues = 100

/** Samples of text, by format. */
const texts: Readonly<Record<string, string>> = {
  "date-time": "2026-01-01T00:00:00Z",
  date: "2026-01-01",
  time: "00:00:00Z",
  email: "name@example.com",
  uri: "https://example.com",
  url: "https://example.com",
  uuid: "00000000-0000-4000-8000-000000000000"
}

const typeOfSchema = ({ type, properties, items }: Json): unknown => {
  const named = Array.isArray(type) ? type.find((one) => one !== "null") : type
  if (named !== undefined) return named
  if (properties !== undefined) return "object"
  return items === undefined ? undefined : "array"
}

/** Returns a value that is in the document of a schema: an example, its default, or its first allowed value. */
const givenValue = (schema: Json): { readonly value: unknown } | undefined => {
  for (const key of ["example", "default", "const"] as const) {
    if (schema[key] !== undefined) return { value: schema[key] }
  }
  for (const key of ["examples", "enum"] as const) {
    const [value] = list(schema[key])
    if (value !== undefined) return { value }
  }
  return undefined
}

/** Creates a sample value of a schema from its examples, defaults, allowed values and types. */
export const sampleOf = (given: unknown, resolve: Resolve): unknown => {
  let remaining = maximumValues

  const propertiesOfSample = (schema: Json, depth: number): Json => {
    const members = entries(schema.properties).flatMap(([name, property]) => {
      if (remaining <= 0) return []
      const value = sample(property, depth + 1)
      return value === undefined ? [] : [[name, value] as const]
    })
    return Object.fromEntries(members)
  }

  const sample = (given: unknown, depth: number): unknown => {
    const schema = resolve(given)
    remaining--
    if (!isObject(schema) || depth > maximumDepth || remaining < 0) return undefined
    const found = givenValue(schema)
    if (found !== undefined) return found.value
    const parts = list(schema.allOf)
    if (parts.length > 0) {
      const merged = parts.map((part) => sample(part, depth + 1))
      return merged.some(isObject)
        ? Object.assign({}, ...merged.filter(isObject), propertiesOfSample(schema, depth))
        : merged[0]
    }
    const [choice] = [...list(schema.oneOf), ...list(schema.anyOf)]
    if (choice !== undefined) return sample(choice, depth + 1)
    switch (typeOfSchema(schema)) {
      case "object":
        return propertiesOfSample(schema, depth)
      case "array": {
        const item = sample(schema.items, depth + 1)
        return item === undefined ? [] : [item]
      }
      case "string":
        return texts[String(schema.format)] ?? "text"
      case "integer":
      case "number":
        return typeof schema.minimum === "number" ? schema.minimum : 1
      case "boolean":
        return true
      default:
        return undefined
    }
  }

  return sample(given, 0)
}

/** Returns the examples of a parameter, of a header or of a media type. */
export const examplesOf = (owner: Json, resolve: Resolve): ReadonlyArray<unknown> => {
  const named = entries(owner.examples).flatMap(([, example]) => {
    const value = resolve(example)
    return isObject(value) && "value" in value ? [value.value] : []
  })
  const schema = resolve(owner.schema)
  const ofSchema = isObject(schema)
    ? [schema.example, ...(Array.isArray(schema.examples) ? schema.examples : [])]
    : []
  const own = [owner.example, ...named].filter((example) => example !== undefined)
  return own.length > 0 ? own : ofSchema.filter((example) => example !== undefined)
}
