export { ExportsApi } from "./ExportsApi.ts"
