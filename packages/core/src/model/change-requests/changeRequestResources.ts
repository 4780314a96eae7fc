/** The events of change requests. */
import { Schema } from "effect"
import { resource } from "../../kernel/schema/resource.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { resourceEvents } from "../../kernel/storage/ResourceEvents.ts"
import { MergeRules } from "../merge-rules/MergeRules.ts"
import { SpaceId } from "../spaces/Space.ts"
import { UserId } from "../users/User.ts"
import {
  ChangeRequestDescription,
  ChangeRequestId,
  ChangeRequestStatus,
  changeRequests
} from "./ChangeRequest.ts"

/** The data of the events of a change request. */
export class ChangeRequestEventData extends resource<ChangeRequestEventData>()(
  Schema.Struct({
    id: ChangeRequestId,
    space: SpaceId,
    number: Schema.Int,
    status: ChangeRequestStatus,
    subject: Schema.String,
    description: Schema.NullOr(ChangeRequestDescription),
    mergeRules: Schema.NullOr(MergeRules),
    createdBy: UserId,
    createdAt: Timestamp
  })
) {}

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
