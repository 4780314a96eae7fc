/** The events of content. */
import * as Schema from "effect/Schema"
import { ChangeRequestId } from "../change-requests/ChangeRequest.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { SpaceId } from "../spaces/Space.ts"
import { UserId } from "../users/User.ts"
import { GitCommit, RevisionId, RevisionType } from "./Revision.ts"

/** The data of the events of a revision. */
export class RevisionEventData extends resource<RevisionEventData>()(
  Schema.Struct({
    id: RevisionId,
    space: SpaceId,
    changeRequest: Schema.NullOr(ChangeRequestId),
    type: RevisionType,
    parents: Schema.Array(RevisionId),
    mergedFrom: Schema.NullOr(ChangeRequestId),
    author: Schema.NullOr(UserId),
    message: Schema.NullOr(Schema.String),
    git: Schema.NullOr(GitCommit),
    /** The automatic save that it replaces in the history, whose event is no longer in the log. */
    replaces: Schema.NullOr(RevisionId),
    createdAt: Timestamp
  })
) {}
