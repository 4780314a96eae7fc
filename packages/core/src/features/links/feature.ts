import { defineFeature } from "@lectern/kernel"
import { Layer } from "effect"
import { ExternalTargets } from "./ExternalTargets.ts"
import { LinkGraphs } from "./LinkGraphs.ts"
import { Links } from "./Links.ts"

/** The links in content, and whether their targets exist. */
export const linksFeature = defineFeature("links", {
  uses: ["content"],
  userServices: { links: Links },
  layer: Links.layer.pipe(Layer.provide([LinkGraphs.layer, ExternalTargets.layer]))
})
