/** The events of change requests. */
import { Schema } from "effect"
import { resourceEvents } from "../../kernel/events/ResourceEvents.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { SpaceId } from "../spaces/Space.ts"
import { UserId } from "../users/User.ts"
import { ChangeRequestId, ChangeRequestStatus, changeRequests } from "./ChangeRequest.ts"

/** The events of change requests. Changes of their content are `revision.created`. */
export const changeRequestEvents = resourceEvents(
  "changeRequest",
  "A change request. Changes of its content are revisions.",
  changeRequests,
  {
    data: {
      id: ChangeRequestId,
      space: SpaceId,
      number: Schema.Int,
      status: ChangeRequestStatus,
      subject: Schema.String,
      createdBy: UserId,
      createdAt: Timestamp
    },
    actions: ["merged", "archived"],
    actionOf: ({ status }) => (status === "merged" || status === "archived" ? status : undefined)
  }
)
