/** What `@lectern/core/model` exports of PDFs. */
export { PdfOptions, PdfUrl } from "./Pdf.ts"
