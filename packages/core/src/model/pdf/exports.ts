/** The public names of PDFs in `@lectern/core/model`. */
export { type PdfOf, PdfOptions, PdfUrl } from "./Pdf.ts"
