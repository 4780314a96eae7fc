/** The operations on PDFs. */
import type { PdfApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const pdf = {
  getSpacePDF: { serves: "Pdfs.getUrl", rule: "space.read", statements: 20, polls: true },
  getChangeRequestPDF: {
    serves: "Pdfs.getUrl",
    rule: "changeRequest.view.other",
    statements: 20,
    polls: true
  }
} satisfies RowsOf<typeof PdfApi>
