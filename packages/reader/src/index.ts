/** The public entry point of `@lectern/reader`. */
export type { CrawledSite, GetUrl, SiteResponse } from "./export/crawlSite.ts"
export { type ExportedBook, exportEpub } from "./export/exportEpub.ts"
export { type ExportedSite, exportHtml, type WriteFile } from "./export/exportHtml.ts"
export type { ReaderRequest, ReaderResponse } from "./http/messages.ts"
export { makeReader, type Reader, sitesPath } from "./Reader.ts"
