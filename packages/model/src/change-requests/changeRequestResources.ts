/** The events of change requests. */
import * as Schema from "effect/Schema"
import { MergeRules } from "../merge-rules/MergeRules.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { SpaceId } from "../spaces/Space.ts"
import { UserId } from "../users/User.ts"
import { ChangeRequestDescription, ChangeRequestId, ChangeRequestStatus } from "./ChangeRequest.ts"

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
