import { defineFeature } from "@lectern/kernel"
import { importRunEvents, importRuns } from "@lectern/kernel/tables"
import { Effect, Layer } from "effect"
import { ImportProcessing } from "./services/ImportProcessing.ts"
import { ImportRuns } from "./services/ImportRuns.ts"
import { Imports } from "./services/Imports.ts"
import { PageImports } from "./services/PageImports.ts"

/** Content that is imported from websites, files and repositories. */
export const importsFeature = defineFeature("imports", {
  uses: ["content"],
  tables: [importRuns],
  events: [importRunEvents],
  userServices: { imports: Imports, pageImports: PageImports, importRuns: ImportRuns },
  layer: Layer.mergeAll(ImportRuns.layer, ImportProcessing.layer, PageImports.layer).pipe(
    Layer.provideMerge(Imports.layer)
  ),
  jobs: Effect.map(ImportProcessing, ({ handler }) => [handler])
})
