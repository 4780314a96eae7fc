import { pdf } from "./pdf.ts"

export const pdfHandlers = { pdf }
