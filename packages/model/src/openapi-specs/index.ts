/** All names of `openapi-specs`. */
export * from "./OpenApiSpec.ts"
export * from "./openApiSpecResources.ts"
