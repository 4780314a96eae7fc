/** The public names of OpenAPI specs in `@lectern/model/api`. */
export { OpenApiSpecsApi } from "./OpenApiSpecsApi.ts"
