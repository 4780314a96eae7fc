/** Renders the part of an OpenAPI document that a block displays, for every builder of nodes. */
import {
  type ApiBuilder,
  type OpenApiDocument,
  operationPageOf,
  PageDetail,
  renderOperation,
  renderSchema
} from "@lectern/markdown/openapi"
import type { ApiPart } from "../apiPart.ts"

/** The maximum number of schemas of a block that are displayed. */
const maximumSchemas = 200

/** Renders a part of a document; `undefined` if the document does not have it. */
export const renderPart = <Node>(
  builder: ApiBuilder<Node>,
  document: OpenApiDocument,
  { kind, method, name, schemas }: ApiPart
): ReadonlyArray<Node> | undefined => {
  if (kind === "schemas") {
    const names = new Set(schemas)
    const found = document.schemas.filter(([schema]) => names.has(schema))
    if (found.length === 0) return undefined
    const detail = new PageDetail()
    return found.slice(0, maximumSchemas).map((schema) => renderSchema(builder, document, schema, detail))
  }
  const operation = kind === "webhook" ? document.webhook(name, method) : document.operation(method, name)
  return operation && [renderOperation(builder, document, operationPageOf(document, operation))]
}
