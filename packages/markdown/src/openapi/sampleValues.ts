/** Creates sample values from schemas. */
import { Expansions } from "./Expansions.ts"
import type { OpenApiDocument } from "./OpenApiDocument.ts"
import { entriesOf, isObject, type Json, listOf, textOf } from "./openApiReferences.ts"

/** The maximum depth of a sample. */
const maximumDepth = 8

/** The maximum number of values of a sample. */
export const maximumValues = 400

/** The number of characters of a declared value that cost as much as a generated value. */
const charactersPerValue = 50

/** Samples of text, by format. */
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

/** Returns the type of a schema, without `null`; undefined if nothing implies one. */
const typeIn = ({ type, properties, items }: Json): unknown => {
  const named = Array.isArray(type) ? type.find((one) => one !== "null") : type
  if (named !== undefined) return named
  if (properties !== undefined) return "object"
  return items === undefined ? undefined : "array"
}

/** Returns the value that the document declares in a schema: an example, a constant, its default, or the first choice. */
const declaredValue = (schema: Json): unknown =>
  [schema.example, listOf(schema.examples)[0], schema.const, schema.default, listOf(schema.enum)[0]].find(
    (value) => value !== undefined
  )

/** Takes the cost of a declared value from a budget, which counts its values and its characters. Stops when nothing is left. */
const takeDeclared = (value: unknown, budget: { values: number }): void => {
  if (budget.values < 0) return
  budget.values -= 1
  if (typeof value === "string") budget.values -= Math.floor(value.length / charactersPerValue)
  if (typeof value !== "object" || value === null) return
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (budget.values < 0) return
    takeDeclared(inner, budget)
  }
}

/** The parts of a schema that a sample already has. */
interface Ignored {
  readonly parts: boolean
  readonly choices: boolean
}

/** Returns a sample of a schema; undefined without a type. It takes its values from a budget, and its steps from the budget of the page. */
export const sampleOf = (
  document: OpenApiDocument,
  given: unknown,
  budget = { values: maximumValues },
  expansions = new Expansions()
): unknown => {
  const objectOf = (schema: Json, depth: number, inside: ReadonlyArray<unknown>): Json => {
    const properties: Array<readonly [string, unknown]> = []
    for (const [name, property] of expansions.entriesOf(schema.properties)) {
      if (budget.values <= 0 || expansions.isExhausted) break
      const value = visit(property, depth + 1, inside)
      if (value !== undefined) properties.push([name, value])
    }
    if (properties.length > 0 || !isObject(schema.additionalProperties)) return Object.fromEntries(properties)
    const value = visit(schema.additionalProperties, depth + 1, inside)
    return value === undefined ? {} : { key: value }
  }

  const visit = (value: unknown, depth: number, above: ReadonlyArray<unknown>): unknown => {
    if (depth > maximumDepth || !expansions.take(1)) return undefined
    const schema = document.object(value)
    return schema === undefined || above.includes(schema)
      ? undefined
      : visitParts(schema, depth, above, { parts: false, choices: false })
  }

  const visitParts = (
    schema: Json,
    depth: number,
    above: ReadonlyArray<unknown>,
    ignored: Ignored
  ): unknown => {
    if (depth > maximumDepth || budget.values <= 0) return undefined
    budget.values--
    const declared = declaredValue(schema)
    if (declared !== undefined) {
      takeDeclared(declared, budget)
      return budget.values < 0 ? undefined : declared
    }
    const inside = [...above, schema]
    const parts = ignored.parts ? [] : listOf(schema.allOf)
    if (parts.length > 0) {
      const inherited = parts.map((part) => visit(part, depth + 1, inside))
      const values = [...inherited, visitParts(schema, depth + 1, inside, { ...ignored, parts: true })]
      const objects = values.filter(isObject)
      return objects.length > 0 ? Object.assign({}, ...objects) : values.find((one) => one !== undefined)
    }
    const alternative = ignored.choices ? undefined : (listOf(schema.oneOf)[0] ?? listOf(schema.anyOf)[0])
    if (alternative !== undefined) {
      const chosen = visit(alternative, depth + 1, inside)
      if (!isObject(schema.properties) || (chosen !== undefined && !isObject(chosen))) return chosen
      const own = visitParts(schema, depth + 1, inside, { parts: true, choices: true })
      return Object.assign({}, own, chosen)
    }
    switch (typeIn(schema)) {
      case "object":
        return objectOf(schema, depth, inside)
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

/** Returns the examples that a document declares of a parameter, of a header or of a media type, or of its schema. */
export const declaredExamples = (document: OpenApiDocument, holder: Json): ReadonlyArray<unknown> => {
  const named = entriesOf(holder.examples).flatMap(([, given]) => {
    const example = document.object(given)
    return example !== undefined && "value" in example ? [example.value] : []
  })
  const own = [holder.example, ...listOf(holder.examples), ...named].filter((one) => one !== undefined)
  if (own.length > 0) return own
  const schema = document.object(holder.schema)
  return [schema?.example, ...listOf(schema?.examples)].filter((one) => one !== undefined)
}

/** Returns an example of the value of a parameter as text. */
export const parameterText = (example: unknown): string =>
  typeof example === "object" ? JSON.stringify(example) : String(example ?? "text")

/** Returns an example as text: JSON for structures. */
export const exampleText = (example: unknown): string =>
  typeof example === "string" ? example : (JSON.stringify(example, undefined, 2) ?? "")
