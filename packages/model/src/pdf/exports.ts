/** The public names of PDFs in `@lectern/model`. */
export { type PdfOf, PdfOptions, PdfUrl } from "./Pdf.ts"
