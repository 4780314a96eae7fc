/** The operations on PDFs. */
import type { PdfApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const pdf = {
  getSpacePDF: { serves: "Pdfs.getUrl", rule: "space.read", polls: true },
  getChangeRequestPDF: {
    serves: "Pdfs.getUrl",
    rule: "changeRequest.view.other",
    polls: true
  }
} satisfies RowsOf<typeof PdfApi>
