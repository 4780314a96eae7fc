/** The public names of exports in `@lectern/model/api`. */
export { ExportsApi } from "./ExportsApi.ts"
