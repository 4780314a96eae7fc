/** OpenAPI documents as neutral pages of operations, with one set of samples and limits, for every printer. */
export type { CodeSample } from "./codeSamples.ts"
export { type Body, OpenApiDocument, type Operation } from "./OpenApiDocument.ts"
export { bodyExample, type OperationPage, operationPageOf } from "./OperationPage.ts"
export { isObject, type Json, textOf } from "./openApiReferences.ts"
export { alternativesOf, type Constraint, constraintsOf, propertiesOf, typeOf } from "./schemas.ts"
