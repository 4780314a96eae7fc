/** The events that are recorded from changed rows. */

import { RevisionEventData } from "@lectern/model/content"
import { resourceEvents } from "../../storage/ResourceEvents.ts"
import { revisions } from "./revisionTable.ts"

/** The events of revisions. Each change of the content of a space or of a change request is one. */
export const revisionEvents = resourceEvents(
  "revision",
  "The content of a space, or of a change request if it is not null. The last revision is the current content.",
  revisions,
  {
    data: RevisionEventData,
    actorColumn: "author",
    replacesColumn: "replaces",
    isReplaced: ({ replacedAt }) => replacedAt !== null
  }
)
