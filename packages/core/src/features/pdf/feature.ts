/** The manifest of the feature `pdf`. */

import { Layer } from "effect"
import { defineFeature } from "../../kernel/features/Feature.ts"
import { Pdfs } from "./Pdfs.ts"
import { PdfUrls } from "./PdfUrls.ts"

/** Export of content as PDF. */
export const pdfFeature = defineFeature("pdf", {
  userServices: { pdfs: Pdfs },
  layer: Pdfs.layer.pipe(Layer.provide(PdfUrls.layer))
})
