export { type PdfOf, PdfOptions, PdfUrl } from "./Pdf.ts"
