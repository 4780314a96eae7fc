/** The events of Git synchronization. */
import { Schema } from "effect"
import { resource } from "../../kernel/schema/resource.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { resourceEvents } from "../../kernel/storage/ResourceEvents.ts"
import { ChangeRequestId } from "../change-requests/ChangeRequest.ts"
import { RevisionId } from "../content/Revision.ts"
import { SpaceId } from "../spaces/Space.ts"
import { UserId } from "../users/User.ts"
import { GitDirection, GitOperationState, gitSyncs } from "./GitSync.ts"

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

/** The events of the Git synchronization of spaces, without URLs and credentials. */
export const gitSyncEvents = resourceEvents(
  "gitSync",
  "The Git synchronization of a space, without its URL and its credentials.",
  gitSyncs,
  { data: GitSyncEventData }
)
