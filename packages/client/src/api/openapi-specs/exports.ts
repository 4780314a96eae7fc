/** What `@lectern/client` exports of OpenAPI specs. */
export { OpenApiSpecsApi } from "./OpenApiSpecsApi.ts"
