/** The public names of PDFs in `@lectern/core/model`. */
export { PdfOptions, PdfUrl } from "./Pdf.ts"
