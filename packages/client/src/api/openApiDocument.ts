/** Completes the OpenAPI document with what the declared operations do not say: authentication, entity tags, addresses. */
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

const location = {
  Location: { description: "The address of what was created.", schema: { type: "string", format: "uri" } }
}

const tag = {
  ETag: { description: "Tells this state of the resource from others.", schema: { type: "string" } }
}

const condition = (name: "If-Match" | "If-None-Match", description: string): Json => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string" }
})

type Schemas = Readonly<Record<string, Json>>

/** The schema, or the component that it refers to. */
const resolve = (schema: Json, schemas: Schemas): Json =>
  typeof schema.$ref === "string"
    ? (schemas[schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)] ?? {})
    : schema

/** Whether an operation returns a single resource, and not a list. */
const returnsResource = ({ responses }: Operation, schemas: Schemas): boolean => {
  const schema = responses["200"]?.content?.["application/json"]?.schema
  return (
    schema !== undefined && !("items" in ((resolve(schema, schemas).properties as Json | undefined) ?? {}))
  )
}

/** Documents which operations return entity tags, and which accept them. */
const documentEntityTags = (methods: Record<string, unknown>, schemas: Schemas): void => {
  const { get } = methods
  if (!isOperation(get) || !returnsResource(get, schemas)) return
  get.responses["200"]!.headers = tag
  get.responses["304"] = { description: "It is as the client has it.", headers: tag }
  get.parameters = [
    ...(get.parameters ?? []),
    condition(
      "If-None-Match",
      "The tag of the state that the client has: is it another, the resource is answered."
    )
  ]
  for (const name of ["patch", "put", "delete"]) {
    const operation = methods[name]
    if (!isOperation(operation)) continue
    const changed = operation.responses["200"]
    if (changed !== undefined) changed.headers = tag
    operation.parameters = [
      ...(operation.parameters ?? []),
      condition("If-Match", "The tag of the state to change: is the resource in another, nothing is done.")
    ]
  }
}

/**
 * Says what a parameter is, where the generator says how it is written in an address: all text, numbers and choices too.
 * The only numbers in queries are the limits of lists.
 */
const typed = (parameter: Json): Json => {
  const schema = parameter.schema as Json | undefined
  if (parameter.in !== "query" || schema === undefined) return parameter
  const { type: _, pattern: __, enum: choices, ...rest } = schema
  if (parameter.name === "limit") {
    const bounds = { minimum: 0, maximum: maximumLimit, default: defaultLimit }
    return { ...parameter, schema: { ...rest, type: "integer", ...bounds } }
  }
  const isChoice = Array.isArray(choices) && choices.join() === "true,false"
  return isChoice ? { ...parameter, schema: { ...rest, type: "boolean" } } : parameter
}

/** Describes a parameter of a path or a query. */
const describeParameter = ({ operationId }: Operation, parameter: Json): Json => {
  const name = String(parameter.name)
  const description = parameterDescriptions[operationId]?.[name] ?? parameterDescriptions["*"]?.[name]
  if (parameter.in === "header" || description === undefined) return parameter
  const { description: _, ...schema } = (parameter.schema ?? {}) as Json
  return { ...parameter, description, schema }
}

/** Adds what holds for all operations: that they take a bearer token, what is tagged, and where to find what was created. */
export const completeOpenApiDocument = (document: Json): Json => {
  const components = (document.components ?? {}) as { readonly schemas?: Schemas }
  const schemas = components.schemas ?? {}
  describeSchemas(schemas)
  for (const methods of Object.values(document.paths as Record<string, Json>)) {
    for (const operation of Object.values(methods)) {
      if (!isOperation(operation)) continue
      // The generator puts the group before the id; ids are unique without it.
      operation.operationId = operation.operationId.slice(operation.operationId.indexOf(".") + 1)
      // An empty list would override the security of the document.
      delete operation.security
      const created = operation.responses["201"]
      if (created !== undefined) created.headers = location
      const page = operation.responses["200"]?.content?.["application/json"]?.schema
      if (page !== undefined) describePage(page)
      if (operation.parameters !== undefined) {
        operation.parameters = operation.parameters.map((one) => describeParameter(operation, typed(one)))
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
          description: "An API token, as `lectern token create` makes one."
        }
      }
    }
  }
}
