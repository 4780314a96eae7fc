import { defineFeature, housekeepingJob } from "@lectern/kernel"
import { exportArchives } from "@lectern/kernel/tables"
import { Effect, Layer } from "effect"
import { Exports } from "./ContentExports.ts"
import { ExportArchives } from "./ExportArchives.ts"
import { ExportUrls } from "./ExportUrls.ts"
import { SiteExports } from "./SiteExports.ts"

/** Export of content and of sites as the files of repositories. */
export const exportsFeature = defineFeature("exports", {
  uses: ["content", "imports"],
  tables: [exportArchives],
  userServices: { exports: Exports, siteExports: SiteExports },
  layer: Layer.merge(Exports.layer, SiteExports.layer).pipe(
    Layer.provide(ExportUrls.layer),
    Layer.provideMerge(ExportArchives.layer)
  ),
  jobs: Effect.map(ExportArchives, ({ purge }) => [housekeepingJob("exports.purge", "1 hour", purge)])
})
