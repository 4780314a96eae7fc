import { Effect, Layer } from "effect"
import { defineFeature } from "../../kernel/features/Feature.ts"
import { importRuns } from "../../tables/imports/importRunTable.ts"
import { importRunEvents } from "../../tables/imports/recordedImportEvents.ts"
import { ImportProcessing } from "./services/ImportProcessing.ts"
import { ImportRuns } from "./services/ImportRuns.ts"
import { Imports } from "./services/Imports.ts"
import { PageImports } from "./services/PageImports.ts"

/** Content that is imported from websites, files and repositories. */
export const importsFeature = defineFeature("imports", {
  uses: ["content", "conversion"],
  tables: [importRuns],
  events: [importRunEvents],
  userServices: { imports: Imports, pageImports: PageImports, importRuns: ImportRuns },
  layer: Layer.mergeAll(ImportRuns.layer, ImportProcessing.layer, PageImports.layer).pipe(
    Layer.provideMerge(Imports.layer)
  ),
  jobs: Effect.map(ImportProcessing, ({ handler }) => [handler])
})
