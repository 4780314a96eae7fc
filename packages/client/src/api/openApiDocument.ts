/** Completes the OpenAPI document with what the declared operations do not say: authentication, entity tags, addresses. */
import { defaultLimit, maximumLimit } from "@lectern/core/model"
import { describeSchemas, type Json } from "./shared/describeSchemas.ts"

interface Operation {
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

/** Whether an operation returns a single resource, and not a list. */
const returnsResource = ({ responses }: Operation): boolean => {
  const schema = responses["200"]?.content?.["application/json"]?.schema
  return schema !== undefined && !("items" in ((schema.properties as Json | undefined) ?? {}))
}

/** Documents which operations return entity tags, and which accept them. */
const documentEntityTags = (methods: Record<string, unknown>): void => {
  const { get } = methods
  if (!isOperation(get) || !returnsResource(get)) return
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
    const bounds = {
      minimum: 0,
      maximum: maximumLimit,
      default: defaultLimit,
      description: "The most items of the page."
    }
    return { ...parameter, schema: { ...rest, type: "integer", ...bounds } }
  }
  const isChoice = Array.isArray(choices) && choices.join() === "true,false"
  return isChoice ? { ...parameter, schema: { ...rest, type: "boolean" } } : parameter
}

/** Adds what holds for all operations: that they take a bearer token, what is tagged, and where to find what was created. */
export const completeOpenApiDocument = (document: Json): Json => {
  for (const methods of Object.values(document.paths as Record<string, Json>)) {
    for (const operation of Object.values(methods)) {
      if (!isOperation(operation)) continue
      // The generator puts the group before the id; ids are unique without it.
      operation.operationId = operation.operationId.slice(operation.operationId.indexOf(".") + 1)
      // An empty list would override the security of the document.
      delete operation.security
      const created = operation.responses["201"]
      if (created !== undefined) created.headers = location
      if (operation.parameters !== undefined) operation.parameters = operation.parameters.map(typed)
    }
    documentEntityTags(methods)
  }
  const components = (document.components ?? {}) as { readonly schemas?: Readonly<Record<string, Json>> }
  describeSchemas(components.schemas ?? {})
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
