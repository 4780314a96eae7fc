/** Handlers of the endpoints for PDFs. */
import { PdfApi } from "@lectern/client"
import { Pdfs } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for PDFs. */
export const pdf = Effect.map(Pdfs, (pdfs) =>
  implement(PdfApi, {
    getSpacePDF: serve(pdfs.getUrl, ({ params, query }) => ({
      content: { space: params.spaceId },
      input: query
    })),
    getChangeRequestPDF: serve(pdfs.getUrl, ({ params, query }) => ({
      content: { space: params.spaceId, changeRequest: params.changeRequestId },
      input: query
    }))
  })
)
