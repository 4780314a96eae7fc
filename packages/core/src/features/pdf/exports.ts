export {
  type Book,
  type BookFile,
  type BookPage,
  type BookTarget,
  type MakePdf,
  PdfFailed,
  PdfMaker,
  type PdfProgress
} from "@lectern/formats"
export type { RenderedPdf } from "./PdfRenderings.ts"
export { Pdfs } from "./Pdfs.ts"
export { type PdfAddress, pdfsPath } from "./PdfUrls.ts"
