export { ImportRunsApi } from "./ImportRunsApi.ts"
