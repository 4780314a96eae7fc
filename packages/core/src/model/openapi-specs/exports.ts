/** What `@lectern/core/model` exports of OpenAPI specs. */
export {
  CreateSpec,
  OpenApiSpec,
  OpenApiSpecContent,
  OpenApiSpecVersion,
  PutSpec,
  SpecSlug,
  SpecSource,
  SpecVersionId
} from "./OpenApiSpec.ts"
