/** Adds authentication, request conditions, descriptions and examples to the OpenAPI document, which `Api` does not declare. */

import { maximumListedDepth } from "../content/ContentOptions.ts"
import { defaultLimit, maximumLimit } from "../index.ts"
import { insightDayBounds } from "../sites/SiteInsights.ts"
import { type ConditionsById, type DocumentedOperation, documentConditions } from "./documentConditions.ts"
import { addExamples, type ExemplifiedOperation } from "./shared/addExamples.ts"
import { describePage, describeSchemas, type Json } from "./shared/describeSchemas.ts"
import { parameterDescriptions } from "./shared/descriptions.gen.ts"

interface Operation extends DocumentedOperation, ExemplifiedOperation {
  operationId: string
  readonly responses: DocumentedOperation["responses"]
  parameters?: Array<Json>
  security?: unknown
}

const isOperation = (value: unknown): value is Operation =>
  typeof value === "object" && value !== null && "responses" in value

const locationHeader = {
  Location: { description: "The URL of the created resource.", schema: { type: "string", format: "uri" } }
}

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

/** The bounds of the numbers in queries. */
const numbersInQueries: Readonly<Record<string, Json>> = {
  limit: { minimum: 0, maximum: maximumLimit, default: defaultLimit },
  depth: { minimum: 1, maximum: maximumListedDepth },
  days: insightDayBounds
}

/** Corrects the types of numbers and booleans: the generator declares all query parameters as strings. */
const correctParameterType = (parameter: Json): Json => {
  const schema = parameter.schema as Json | undefined
  if (parameter.in !== "query" || schema === undefined) return parameter
  const { type: _, pattern: __, enum: choices, ...rest } = schema
  const bounds = numbersInQueries[String(parameter.name)]
  if (bounds !== undefined) return { ...parameter, schema: { ...rest, type: "integer", ...bounds } }
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

/**
 * Removes `additionalProperties: false`, which the generator declares for every struct: requests can have further fields, which
 * the server ignores, and responses of later versions can have more.
 */
const permitFurtherFields = (value: unknown): void => {
  if (typeof value !== "object" || value === null) return
  const schema = value as Json
  if (schema.additionalProperties === false) delete schema.additionalProperties
  for (const inner of Object.values(value)) permitFurtherFields(inner)
}

/**
 * Completes the document of `Api`: bearer authentication, request conditions, `Location` headers, descriptions and
 * examples.
 */
export const completeOpenApiDocument = (document: Json, conditions: ConditionsById): Json => {
  const components = (document.components ?? {}) as { readonly schemas?: Schemas }
  const schemas = components.schemas ?? {}
  // Before examples are added, which are not schemas.
  permitFurtherFields(document)
  describeSchemas(schemas)
  const paths = document.paths as Record<string, Record<string, Operation>>
  for (const methods of Object.values(paths)) {
    for (const operation of Object.values(methods)) {
      if (!isOperation(operation)) continue
      // The generator prefixes ids with their group, but they are unique without it.
      operation.operationId = operation.operationId.slice(operation.operationId.indexOf(".") + 1)
      // An empty list overrides the security of the document.
      if (conditions.get(operation.operationId)?.requiresNoToken === true) operation.security = []
      else delete operation.security
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
  }
  documentConditions(paths, conditions, (path) => {
    const operation = paths[path]?.get
    return operation !== undefined && returnsResource(operation, schemas)
  })
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
