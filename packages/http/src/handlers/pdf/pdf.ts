import { PdfApi } from "@lectern/client"
import { Pdfs } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"
import { contentTarget } from "../shared/parametersOf.ts"

export const pdf = Effect.map(Pdfs, (pdfs) =>
  implement(
    PdfApi,
    {
      getSpacePDF: pdfs.getUrl,
      getChangeRequestPDF: pdfs.getUrl
    },
    contentTarget
  )
)
