/** The public names of OpenAPI specs in `@lectern/client`. */
export { OpenApiSpecsApi } from "./OpenApiSpecsApi.ts"
