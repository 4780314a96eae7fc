/** What the OpenAPI document says beyond the declared operations. */

type Json = Record<string, unknown>

const isOperation = (
  value: unknown
): value is { operationId: string; responses: Record<string, Json>; security?: unknown } =>
  typeof value === "object" && value !== null && "responses" in value

const location = {
  Location: { description: "The address of what was created.", schema: { type: "string", format: "uri" } }
}

/** Adds what holds for all operations: that they take a bearer token, and where to find what was created. */
export const complete = (document: Json): Json => {
  for (const methods of Object.values(document.paths as Record<string, Json>)) {
    for (const operation of Object.values(methods)) {
      if (!isOperation(operation)) continue
      // The generator puts the group before the id; ids are unique without it.
      operation.operationId = operation.operationId.slice(operation.operationId.indexOf(".") + 1)
      // One of its own, though empty, would stand in the way of the document's.
      delete operation.security
      const created = operation.responses["201"]
      if (created !== undefined) created.headers = location
    }
  }
  const components = (document.components ?? {}) as Json
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
