export { PdfApi } from "./PdfApi.ts"
