/** The public names of PDFs in `@lectern/client`. */
export { PdfApi } from "./PdfApi.ts"
