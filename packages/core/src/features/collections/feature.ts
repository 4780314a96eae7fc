import { defineFeature } from "@lectern/kernel"
import { collectionEvents, collectionExaminations, collections } from "@lectern/kernel/tables"
import { Layer } from "effect"
import { Collections } from "./Collections.ts"
import { Containers } from "./Containers.ts"

/** Collections of spaces, with the order of their content. */
export const collectionsFeature = defineFeature("collections", {
  tables: [collections],
  events: [collectionEvents],
  userServices: { collections: Collections },
  layer: Collections.layer.pipe(Layer.provideMerge(Containers.layer)),
  examinations: collectionExaminations
})
