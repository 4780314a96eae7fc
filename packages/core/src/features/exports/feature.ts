/** The manifest of the feature `exports`. */
import { Layer } from "effect"
import { defineFeature } from "../../kernel/features/Feature.ts"
import { Exports } from "./ContentExports.ts"
import { ExportUrls } from "./ExportUrls.ts"
import { SiteExports } from "./SiteExports.ts"

/** Export of content and of sites as the files of repositories. */
export const exportsFeature = defineFeature("exports", {
  userServices: { exports: Exports, siteExports: SiteExports },
  layer: Layer.merge(Exports.layer, SiteExports.layer).pipe(Layer.provide(ExportUrls.layer))
})
