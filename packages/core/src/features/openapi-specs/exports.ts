export {
  InvalidDocument,
  type ParsedDocument,
  ParseFailed,
  type ParseSpec,
  parseDocument,
  type ReferencedFile,
  type SpecPage,
  SpecParser,
  specPagesOf,
  specPagesOfFiles
} from "@lectern/formats"
export { OpenApiSpecs, specsPath } from "./OpenApiSpecs.ts"
export { OpenApiPollInterval } from "./SpecProcessing.ts"
