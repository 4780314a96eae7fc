/** Returns the schemas of documents, which the OpenAPI document describes in words only, as components with a name per node. */
import { JsonDocument } from "@lectern/model"
import { Schema } from "effect"
import { isJson, type Json } from "./schemaTypes.ts"

const referencePrefix = "#/components/schemas/"

/** Names of the schemas that JSON Schema refers to, because they are recursive. */
const namesOfReferences: Readonly<Record<string, string>> = {
  JSONDocument: "JsonDocument",
  Union_: "DocumentBlock",
  Union_1: "NestedBlock"
}

const pascalCase = (text: string): string =>
  text.replace(/(?:^|[-_:])(\w)/g, (_, letter: string) => letter.toUpperCase())

const literalOf = (schema: Json, property: string): string | undefined => {
  const value = isJson(schema.properties) ? schema.properties[property] : undefined
  return isJson(value) && Array.isArray(value.enum) && value.enum.length === 1
    ? String(value.enum[0])
    : undefined
}

/** Returns the name of the schema of a node: its type and its kind, such as `ParagraphBlock`. */
const nameOfNode = (schema: Json): string | undefined => {
  const object = literalOf(schema, "object")
  if (object === undefined || object === "document") return undefined
  return pascalCase(literalOf(schema, "type") ?? "") + pascalCase(object)
}

/** Moves each node into a component, so that a node is described once. */
export const documentSchemas = (): Readonly<Record<string, Json>> => {
  const { definitions } = Schema.toJsonSchemaDocument(Schema.toType(JsonDocument))
  const components = new Map<string, Json>()
  const bodies = new Map<string, string>()
  const extractMembers = (value: Json): Json =>
    Object.fromEntries(Object.entries(value).map(([key, member]) => [key, extract(member)]))
  const extract = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(extract)
    if (!isJson(value)) return value
    if (typeof value.$ref === "string") {
      const name = value.$ref.slice(value.$ref.lastIndexOf("/") + 1)
      return { $ref: referencePrefix + (namesOfReferences[name] ?? name) }
    }
    const base = nameOfNode(value)
    if (base === undefined) return extractMembers(value)
    // The name is taken before the names of the nodes inside: the outer variant has the name without a number.
    const body = JSON.stringify(value)
    let name = base
    for (let copy = 2; bodies.has(name) && bodies.get(name) !== body; copy++) name = `${base}${copy}`
    if (!bodies.has(name)) {
      bodies.set(name, body)
      components.set(name, extractMembers(value))
    }
    return { $ref: referencePrefix + name }
  }
  for (const [reference, name] of Object.entries(namesOfReferences)) {
    components.set(name, extract(definitions[reference]) as Json)
  }
  return Object.fromEntries(components)
}
