export { OpenApiSpecsApi } from "./OpenApiSpecsApi.ts"
