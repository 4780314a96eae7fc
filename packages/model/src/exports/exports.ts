export { ExportUrl } from "./Export.ts"
