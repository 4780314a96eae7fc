/** What a workspace takes from the feature `pdf`. */

import { Layer } from "effect"
import { feature } from "../../kernel/features/Feature.ts"
import { Pdfs } from "./Pdfs.ts"
import { PdfUrls } from "./PdfUrls.ts"

/** Content as PDF. */
export const pdfFeature = feature("pdf", {
  userServices: { pdfs: Pdfs },
  layer: Pdfs.layer.pipe(Layer.provide(PdfUrls.layer))
})
