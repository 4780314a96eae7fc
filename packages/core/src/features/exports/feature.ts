/** The manifest of the feature `exports`. */
import { Layer } from "effect"
import { defineFeature } from "../../kernel/features/Feature.ts"
import { Exports } from "./ContentExports.ts"
import { ExportUrls } from "./ExportUrls.ts"

/** Export of content as the files of a repository. */
export const exportsFeature = defineFeature("exports", {
  userServices: { exports: Exports },
  layer: Exports.layer.pipe(Layer.provide(ExportUrls.layer))
})
