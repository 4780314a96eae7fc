/** The public names of exports in `@lectern/core`, besides the model. */
export { Exports } from "./ContentExports.ts"
export { type ExportAddress, exportsPath, type SiteExportAddress } from "./ExportUrls.ts"
export { SiteExports } from "./SiteExports.ts"
