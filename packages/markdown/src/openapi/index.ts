/** The names of `openapi` that other packages of Lectern use. */

export { type ApiBuilder, type ApiContent, type ApiMessages, isEmpty } from "./ApiBuilder.ts"
export { bundleDocuments } from "./bundleDocuments.ts"
export { exampleOf, exampleText } from "./examples.ts"
export {
  entriesOf,
  isObject,
  type Json,
  listOf,
  OpenApiDocument,
  type Operation,
  textOf
} from "./OpenApiDocument.ts"
export { renderOperation } from "./renderOperation.ts"
export { renderSchemas } from "./renderSchemas.ts"
export { type CodeSample, declaredSamplesOf } from "./samples.ts"
