/** The events that are recorded from changed rows. */

import { ChangeRequestEventData } from "@lectern/model/change-requests"
import { resourceEvents } from "../../storage/ResourceEvents.ts"
import { changeRequests } from "./changeRequestTables.ts"

/** The events of change requests. Changes of their content are `revision.created`. */
export const changeRequestEvents = resourceEvents(
  "changeRequest",
  "A change request. Changes of its content are revisions.",
  changeRequests,
  {
    data: ChangeRequestEventData,
    actions: ["merged", "archived"],
    actionOf: ({ status }) => (status === "merged" || status === "archived" ? status : undefined)
  }
)
