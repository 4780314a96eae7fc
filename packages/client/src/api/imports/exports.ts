/** The public names of imports in `@lectern/client`. */
export { ImportRunsApi } from "./ImportRunsApi.ts"
