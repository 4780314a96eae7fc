/** The rendering of OpenAPI documents, which is loaded with the first block of one. Every import of it is here. */
export {
  type ApiBuilder,
  type ApiContent,
  isObject,
  OpenApiDocument,
  operationPageOf,
  PageDetail,
  renderOperation,
  renderSchema
} from "@lectern/markdown/openapi"
