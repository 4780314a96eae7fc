/** OpenAPI documents as neutral pages of operations, with one set of samples and limits, for every printer. */
export { type CodeSample, codeSamplesOf } from "./codeSamples.ts"
export { type Body, isForm, type Media, OpenApiDocument, type Operation } from "./OpenApiDocument.ts"
export {
  bodyExample,
  type GenerateSamples,
  type OperationPage,
  operationPageOf,
  type PageParameter
} from "./OperationPage.ts"
export { entriesOf, isObject, type Json, listOf, textOf } from "./openApiReferences.ts"
export { maximumDetail, type OperationDetail, PageDetail } from "./PageDetail.ts"
export { requestMediaOf, type SampleRequest } from "./sampleRequest.ts"
export { exampleText } from "./samples.ts"
export { alternativesOf, type Constraint, constraintsOf, propertiesOf, typeOf } from "./schemas.ts"
