export type { BusyLimit, ExportFailure } from "@lectern/content"
export { ExportLimits, type ExportLimitsSettings } from "@lectern/content"
export { Exports } from "./ContentExports.ts"
export {
  ExportArchives,
  type ExportDownload,
  type ExportedArchive,
  type RequestedArchive
} from "./ExportArchives.ts"
export { type ExportAddress, exportsPath, type SiteExportAddress } from "./ExportUrls.ts"
export { SiteExports } from "./SiteExports.ts"
