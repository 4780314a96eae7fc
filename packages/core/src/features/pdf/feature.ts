import { PdfMaker } from "@lectern/formats"
import { defineFeature, housekeepingJob } from "@lectern/kernel"
import { pdfs } from "@lectern/kernel/tables"
import { Effect, Layer } from "effect"
import { PdfRenderings } from "./PdfRenderings.ts"
import { Pdfs } from "./Pdfs.ts"
import { PdfUrls } from "./PdfUrls.ts"

/** Export of content as PDF. */
export const pdfFeature = defineFeature("pdf", {
  uses: ["content"],
  tables: [pdfs],
  userServices: { pdfs: Pdfs },
  layer: Pdfs.layer.pipe(Layer.provide(PdfUrls.layer), Layer.provideMerge(PdfRenderings.layer)),
  jobs: Effect.gen(function* () {
    const { handler, purge } = yield* PdfRenderings
    const purging = housekeepingJob("purge-pdfs", "1 hour", purge)
    // The workers of a process without a renderer leave the jobs to other processes.
    return (yield* PdfMaker) === undefined ? [purging] : [handler, purging]
  })
})
