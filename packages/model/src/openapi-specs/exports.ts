export {
  CreateSpec,
  OpenApiSpec,
  OpenApiSpecContent,
  OpenApiSpecRawContent,
  OpenApiSpecVersion,
  PutSpec,
  SpecProblem,
  SpecProblemCode,
  SpecSlug,
  SpecSource,
  SpecVersionId,
  SpecVisibility,
  UpdateSpec
} from "./OpenApiSpec.ts"
