/** The public entry point of `@lectern/reader`. */
export type { ReaderRequest, ReaderResponse } from "./http/messages.ts"
export { makeReader, type Reader, sitesPath } from "./Reader.ts"
