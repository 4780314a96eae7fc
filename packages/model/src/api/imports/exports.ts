/** The public names of imports in `@lectern/model/api`. */
export { ImportRunsApi } from "./ImportRunsApi.ts"
