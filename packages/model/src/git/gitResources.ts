/** The events of Git synchronization. */
import * as Schema from "effect/Schema"
import { ChangeRequestId } from "../change-requests/ChangeRequest.ts"
import { RevisionId } from "../content/Revision.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { SpaceId } from "../spaces/Space.ts"
import { UserId } from "../users/User.ts"
import { GitDirection, GitOperationState } from "./GitSync.ts"

/** The data of the events of the Git synchronization of a space. */
export class GitSyncEventData extends resource<GitSyncEventData>()(
  Schema.Struct({
    space: SpaceId,
    user: UserId,
    ref: Schema.String,
    revision: Schema.NullOr(RevisionId),
    commit: Schema.NullOr(Schema.String),
    changeRequest: Schema.NullOr(ChangeRequestId),
    direction: GitDirection,
    state: GitOperationState,
    error: Schema.NullOr(Schema.String),
    startedAt: Timestamp,
    completedAt: Schema.NullOr(Timestamp)
  })
) {}
