/** Handlers of the operations on PDFs. */
import { PdfApi } from "@lectern/client"
import { Pdfs } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The operations on PDFs, implemented. */
export const pdf = Effect.map(Pdfs, (pdfs) =>
  implement(PdfApi, {
    getSpacePDF: ({ params, query }) => pdfs.url({ space: params.spaceId }, query),
    getChangeRequestPDF: ({ params, query }) =>
      pdfs.url({ space: params.spaceId, changeRequest: params.changeRequestId }, query)
  })
)
