/** The public names of OpenAPI specs in `@lectern/model`. */
export {
  CreateSpec,
  OpenApiSpec,
  OpenApiSpecContent,
  OpenApiSpecVersion,
  PutSpec,
  SpecProblem,
  SpecProblemCode,
  SpecSlug,
  SpecSource,
  SpecVersionId
} from "./OpenApiSpec.ts"
