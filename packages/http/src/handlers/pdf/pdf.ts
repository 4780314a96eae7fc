/** Handlers of the operations on PDFs. They are made in threads of this process, unless the host brings a maker. */

import { PdfApi } from "@lectern/client"
import { PdfMaker, Pdfs } from "@lectern/core"
import { Effect } from "effect"
import { pdfMaker } from "../../pdf/pdfMaker.ts"
import { implement } from "../Handlers.ts"

/** The operations on PDFs, implemented. */
export const pdf = Effect.map(Pdfs, (pdfs) =>
  implement(PdfApi, {
    getSpacePDF: ({ params, query }) => making(pdfs.url({ space: params.spaceId }, query)),
    getChangeRequestPDF: ({ params, query }) =>
      making(pdfs.url({ space: params.spaceId, changeRequest: params.changeRequestId }, query))
  })
)

/** An effect that may make a PDF, with what makes it. */
export const making = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(PdfMaker, (given) => Effect.provideService(effect, PdfMaker, given ?? pdfMaker()))
