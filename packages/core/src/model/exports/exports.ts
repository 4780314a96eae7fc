/** The public names of exports in `@lectern/core/model`. */
export { ExportUrl } from "./Export.ts"
