import { PdfApi } from "./PdfApi.ts"

export const groups: readonly [typeof PdfApi] = [PdfApi]
