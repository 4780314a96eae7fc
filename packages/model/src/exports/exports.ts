/** The public names of exports in `@lectern/model`. */
export { ExportUrl } from "./Export.ts"
