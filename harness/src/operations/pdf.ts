/** The operations on PDFs. */
import type { PdfApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const pdf = {
  getSpacePDF: { serves: "Pdfs.getUrl", rule: "space.read", statements: 4 },
  getChangeRequestPDF: {
    serves: "Pdfs.getUrl",
    rule: "changeRequest.view.other",
    statements: 5
  }
} satisfies RowsOf<typeof PdfApi>
