/** PDF rendering on the calling thread, for tests and for hosts that manage threads themselves. */
export { PdfTooLarge, renderPdf } from "./renderPdf.ts"
