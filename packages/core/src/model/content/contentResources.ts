/** The events of content. */
import { Schema } from "effect"
import { resource } from "../../kernel/schema/resource.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { resourceEvents } from "../../kernel/storage/ResourceEvents.ts"
import { ChangeRequestId } from "../change-requests/ChangeRequest.ts"
import { SpaceId } from "../spaces/Space.ts"
import { UserId } from "../users/User.ts"
import { GitCommit, RevisionId, RevisionType, revisions } from "./Revision.ts"

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
    createdAt: Timestamp
  })
) {}

/** The events of revisions. Each change of the content of a space or of a change request is one. */
export const revisionEvents = resourceEvents(
  "revision",
  "The content of a space, or of a change request if it is not null. The last revision is the current content.",
  revisions,
  {
    data: RevisionEventData,
    actorColumn: "author"
  }
)
