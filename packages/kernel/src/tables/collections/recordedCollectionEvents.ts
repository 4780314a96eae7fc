/** The events that are recorded from changed rows. */

import { CollectionEventData } from "@lectern/model/collections"
import { resourceEvents } from "../../storage/ResourceEvents.ts"
import { collections } from "./collectionTable.ts"

/** The events of collections. */
export const collectionEvents = resourceEvents("collection", "A collection of spaces.", collections, {
  data: CollectionEventData,
  actions: ["transferred"],
  actionOf: ({ organization }) => (organization === undefined ? undefined : "transferred")
})
