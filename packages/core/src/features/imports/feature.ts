import { defineFeature } from "@lectern/kernel"
import { importRunEvents, importRuns } from "@lectern/kernel/tables"
import { Effect, Layer } from "effect"
import { ImportProcessing } from "./services/ImportProcessing.ts"
import { ImportRuns } from "./services/ImportRuns.ts"
import { Imports } from "./services/Imports.ts"

/** Content that is imported from websites, files and repositories. */
export const importsFeature = defineFeature("imports", {
  uses: ["content"],
  tables: [importRuns],
  events: [importRunEvents],
  userServices: { imports: Imports, importRuns: ImportRuns },
  layer: Layer.merge(ImportRuns.layer, ImportProcessing.layer).pipe(Layer.provideMerge(Imports.layer)),
  jobs: Effect.map(ImportProcessing, ({ handler }) => [handler])
})
