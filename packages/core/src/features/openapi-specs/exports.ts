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
export { specsPath } from "../../views/openapi-specs/OpenApiSpecView.ts"
export { OpenApiSpecs } from "./OpenApiSpecs.ts"
export { OpenApiPollInterval } from "./SpecProcessing.ts"
