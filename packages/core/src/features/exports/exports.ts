export { Exports } from "./ContentExports.ts"
export {
  ExportArchives,
  type ExportDownload,
  type ExportedArchive,
  type RequestedArchive
} from "./ExportArchives.ts"
export { ExportLimits, type ExportLimitsSettings } from "./ExportLimits.ts"
export { type ExportAddress, exportsPath, type SiteExportAddress } from "./ExportUrls.ts"
export type { BusyLimit, ExportFailure } from "./productions.ts"
export { SiteExports } from "./SiteExports.ts"
