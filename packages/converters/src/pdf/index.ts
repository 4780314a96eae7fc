/** PDF rendering on the calling thread, for tests and for hosts that manage threads themselves. */
export { PdfTooLarge } from "./PdfTooLarge.ts"
export { renderPdf, writePdf } from "./renderPdf.ts"
