/** The handlers of the endpoints of PDFs. */
import { pdf } from "./pdf.ts"

/** The handlers of each group of endpoints of PDFs, by the name of the group. */
export const pdfHandlers = { pdf }
