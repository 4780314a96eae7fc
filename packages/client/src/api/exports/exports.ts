/** The public names of exports in `@lectern/client`. */
export { ExportsApi } from "./ExportsApi.ts"
