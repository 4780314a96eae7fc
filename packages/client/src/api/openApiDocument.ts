/** Adds authentication, entity tags, descriptions and examples to the OpenAPI document, which `Api` does not declare. */
import { defaultLimit, maximumLimit } from "@lectern/core/model"
import { addExamples, type ExemplifiedOperation } from "./shared/addExamples.ts"
import { describePage, describeSchemas, type Json } from "./shared/describeSchemas.ts"
import { parameterDescriptions } from "./shared/descriptions.gen.ts"

interface Operation extends ExemplifiedOperation {
  operationId: string
  responses: Record<
    string,
    { description: string; headers?: Json; content?: { [type: string]: { schema: Json } } }
  >
  parameters?: Array<Json>
  security?: unknown
}

const isOperation = (value: unknown): value is Operation =>
  typeof value === "object" && value !== null && "responses" in value

const locationHeader = {
  Location: { description: "The URL of the created resource.", schema: { type: "string", format: "uri" } }
}

const etagHeader = {
  ETag: { description: "The entity tag of the resource.", schema: { type: "string" } }
}

const preconditionParameter = (name: "If-Match" | "If-None-Match", description: string): Json => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string" }
})

type Schemas = Readonly<Record<string, Json>>

/** Returns the component that a schema refers to, or the schema itself. */
const resolveReference = (schema: Json, schemas: Schemas): Json =>
  typeof schema.$ref === "string"
    ? (schemas[schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)] ?? {})
    : schema

/** Whether an operation returns a single resource, and not a list. */
const returnsResource = ({ responses }: Operation, schemas: Schemas): boolean => {
  const schema = responses["200"]?.content?.["application/json"]?.schema
  return (
    schema !== undefined &&
    !("items" in ((resolveReference(schema, schemas).properties as Json | undefined) ?? {}))
  )
}

/** Documents the entity tags and preconditions of the operations on a path that returns a single resource. */
const documentEntityTags = (methods: Record<string, unknown>, schemas: Schemas): void => {
  const { get } = methods
  if (!isOperation(get) || !returnsResource(get, schemas)) return
  get.responses["200"]!.headers = etagHeader
  get.responses["304"] = { description: "Not modified: the resource has not changed.", headers: etagHeader }
  get.parameters = [
    ...(get.parameters ?? []),
    preconditionParameter(
      "If-None-Match",
      "The entity tag of the cached resource. If it is still current, the response is 304 without a body."
    )
  ]
  for (const name of ["patch", "put", "delete"]) {
    const operation = methods[name]
    if (!isOperation(operation)) continue
    const changed = operation.responses["200"]
    if (changed !== undefined) changed.headers = etagHeader
    operation.parameters = [
      ...(operation.parameters ?? []),
      preconditionParameter(
        "If-Match",
        "The entity tag of the resource to change. If the resource has changed since, the response is 412 and nothing is changed."
      )
    ]
  }
}

/**
 * Corrects the types of limits, the only numbers in queries, and of booleans: the generator declares all query parameters as
 * strings.
 */
const correctParameterType = (parameter: Json): Json => {
  const schema = parameter.schema as Json | undefined
  if (parameter.in !== "query" || schema === undefined) return parameter
  const { type: _, pattern: __, enum: choices, ...rest } = schema
  if (parameter.name === "limit") {
    const bounds = { minimum: 0, maximum: maximumLimit, default: defaultLimit }
    return { ...parameter, schema: { ...rest, type: "integer", ...bounds } }
  }
  const isBoolean = Array.isArray(choices) && choices.join() === "true,false"
  return isBoolean ? { ...parameter, schema: { ...rest, type: "boolean" } } : parameter
}

/** Adds the description of a path or query parameter. */
const describeParameter = ({ operationId }: Operation, parameter: Json): Json => {
  const name = String(parameter.name)
  const description = parameterDescriptions[operationId]?.[name] ?? parameterDescriptions["*"]?.[name]
  if (parameter.in === "header" || description === undefined) return parameter
  const { description: _, ...schema } = (parameter.schema ?? {}) as Json
  return { ...parameter, description, schema }
}

/** Completes the document of `Api`: bearer authentication, entity tags, `Location` headers, descriptions and examples. */
export const completeOpenApiDocument = (document: Json): Json => {
  const components = (document.components ?? {}) as { readonly schemas?: Schemas }
  const schemas = components.schemas ?? {}
  describeSchemas(schemas)
  for (const methods of Object.values(document.paths as Record<string, Json>)) {
    for (const operation of Object.values(methods)) {
      if (!isOperation(operation)) continue
      // The generator prefixes ids with their group, but they are unique without it.
      operation.operationId = operation.operationId.slice(operation.operationId.indexOf(".") + 1)
      // An empty list would override the security of the document.
      delete operation.security
      const created = operation.responses["201"]
      if (created !== undefined) created.headers = locationHeader
      const page = operation.responses["200"]?.content?.["application/json"]?.schema
      if (page !== undefined) describePage(page)
      if (operation.parameters !== undefined) {
        operation.parameters = operation.parameters.map((parameter) =>
          describeParameter(operation, correctParameterType(parameter))
        )
      }
      addExamples(operation)
    }
    documentEntityTags(methods, schemas)
  }
  return {
    ...document,
    security: [{ token: [] }],
    components: {
      ...components,
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: "An API token, which `lectern token create` creates."
        }
      }
    }
  }
}
