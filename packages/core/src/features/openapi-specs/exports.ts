/** What `@lectern/core` exports of OpenAPI specs, beside its model. */
export { OpenApiSpecs, specsPath } from "./OpenApiSpecs.ts"
export { type ParsedDocument, parseDocument } from "./parseDocument.ts"
export { ParseFailed, type ParseSpec, SpecParser } from "./SpecParser.ts"
export { type SpecPage, specPagesOf } from "./specPages.ts"
