/** The public names of PDFs in `@lectern/model/api`. */
export { PdfApi } from "./PdfApi.ts"
