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
