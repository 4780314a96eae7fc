/** The public names of OpenAPI specs in `@lectern/core`, besides the model. */
export { OpenApiSpecs, specsPath } from "./OpenApiSpecs.ts"
export { type ParsedDocument, parseDocument } from "./parseDocument.ts"
export { ParseFailed, type ParseSpec, SpecParser } from "./SpecParser.ts"
export { type SpecPage, specPagesOf } from "./specPages.ts"
