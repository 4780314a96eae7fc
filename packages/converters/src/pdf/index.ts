/** PDF rendering without a thread, for tests and for hosts with threads of their own. */
export { PdfTooLarge, renderPdf } from "./renderPdf.ts"
