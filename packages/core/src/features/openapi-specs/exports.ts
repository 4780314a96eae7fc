/** The public names of OpenAPI specs in `@lectern/core`, besides the model. */
export { OpenApiSpecs, specsPath } from "./OpenApiSpecs.ts"
export { type ParsedDocument, parseDocument, type ReferencedFile } from "./parseDocument.ts"
export { ParseFailed, type ParseSpec, SpecParser } from "./SpecParser.ts"
export { OpenApiPollInterval } from "./SpecProcessing.ts"
export { type SpecPage, specPagesOf, specPagesOfFiles } from "./specPages.ts"
export { InvalidDocument } from "./specProblems.ts"
