/** The events of comments, replies and reactions. */
import * as Schema from "effect/Schema"
import { ChangeRequestId } from "../change-requests/ChangeRequest.ts"
import { PageId } from "../content/Page.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { SpaceId } from "../spaces/Space.ts"
import { UserId } from "../users/User.ts"
import { CommentId, CommentReplyId, CommentStatus } from "./Comment.ts"

/** The data of the events of a comment. */
export class CommentEventData extends resource<CommentEventData>()(
  Schema.Struct({
    id: CommentId,
    space: SpaceId,
    changeRequest: Schema.NullOr(ChangeRequestId),
    page: Schema.NullOr(PageId),
    body: Schema.String,
    mentions: Schema.Array(UserId),
    postedBy: UserId,
    postedAt: Timestamp,
    editedAt: Schema.NullOr(Timestamp),
    status: CommentStatus,
    resolvedBy: Schema.NullOr(UserId),
    resolvedAt: Schema.NullOr(Timestamp)
  })
) {}

/** The data of the events of a comment reply. */
export class CommentReplyEventData extends resource<CommentReplyEventData>()(
  Schema.Struct({
    id: CommentReplyId,
    comment: CommentId,
    body: Schema.String,
    mentions: Schema.Array(UserId),
    postedBy: UserId,
    postedAt: Timestamp,
    editedAt: Schema.NullOr(Timestamp)
  })
) {}

/** The data of the events of a comment reaction. */
export class CommentReactionEventData extends resource<CommentReactionEventData>()(
  Schema.Struct({
    comment: CommentId,
    reply: Schema.NullOr(CommentReplyId),
    target: Schema.String,
    emoji: Schema.String,
    user: UserId,
    reactedAt: Timestamp
  })
) {}
