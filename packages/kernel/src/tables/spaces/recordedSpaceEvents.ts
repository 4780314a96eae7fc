/** The events that are recorded from changed rows. */

import { SpaceEventData } from "@lectern/model/spaces"
import { resourceEvents } from "../../storage/ResourceEvents.ts"
import { spaces } from "./spaceTable.ts"

/** The events of spaces. Changes of the content are `revision.created`. */
export const spaceEvents = resourceEvents("space", "A space. Changes of its content are revisions.", spaces, {
  data: SpaceEventData,
  actions: ["trashed", "restored", "transferred"],
  actionOf: ({ organization, deletedAt }) => {
    if (organization !== undefined) return "transferred"
    if (deletedAt === undefined) return undefined
    return deletedAt === null ? "restored" : "trashed"
  }
})
