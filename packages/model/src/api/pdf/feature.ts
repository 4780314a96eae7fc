/** The endpoints of PDFs. */
import { PdfApi } from "./PdfApi.ts"

/** The groups of endpoints of PDFs, in the order of the OpenAPI document. */
export const groups: readonly [typeof PdfApi] = [PdfApi]
