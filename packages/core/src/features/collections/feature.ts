import { Layer } from "effect"
import { defineFeature } from "../../kernel/features/Feature.ts"
import { collections } from "../../tables/collections/collectionTable.ts"
import { collectionEvents } from "../../tables/collections/recordedCollectionEvents.ts"
import { Collections } from "./Collections.ts"
import { Containers } from "./Containers.ts"
import { collectionExaminations } from "./collectionChecks.ts"

/** Collections of spaces, with the order of their content. */
export const collectionsFeature = defineFeature("collections", {
  tables: [collections],
  events: [collectionEvents],
  userServices: { collections: Collections },
  layer: Collections.layer.pipe(Layer.provideMerge(Containers.layer)),
  examinations: collectionExaminations
})
