/** What `@lectern/client` exports of PDFs. */
export { PdfApi } from "./PdfApi.ts"
