/**
 * OpenAPI documents as neutral pages of operations, with one set of samples and limits, for every printer; and the printers of
 * displays, in HTML or in elements. Nothing here depends on Node, so that browsers load it.
 */
export type { ApiBuilder, ApiContent, ApiMessages } from "./ApiBuilder.ts"
export { bundleDocuments } from "./bundleDocuments.ts"
export { type CodeSample, codeSamplesOf } from "./codeSamples.ts"
export { Expansions } from "./Expansions.ts"
export {
  type Body,
  isForm,
  type Media,
  OpenApiDocument,
  type Operation,
  type Requirement,
  type Server
} from "./OpenApiDocument.ts"
export { type OperationPage, operationPageOf } from "./OperationPage.ts"
export {
  entriesOf,
  isObject,
  type Json,
  listOf,
  methods,
  type Resolve,
  textOf,
  valueAt
} from "./openApiReferences.ts"
export { maximumDetail, type OperationDetail, PageDetail } from "./PageDetail.ts"
export { renderOperation } from "./renderOperation.ts"
export { renderSchema } from "./renderSchema.ts"
export { requestMediaOf, type SampleRequest } from "./sampleRequest.ts"
export { declaredExamples, exampleText } from "./sampleValues.ts"
export { type Constraint, constraintsOf, maximumProperties, typeOf } from "./schemas.ts"
