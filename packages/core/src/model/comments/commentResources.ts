/** The events of comments, replies and reactions. */
import { Schema } from "effect"
import { resource } from "../../kernel/schema/resource.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { resourceEvents } from "../../kernel/storage/ResourceEvents.ts"
import { ChangeRequestId } from "../change-requests/ChangeRequest.ts"
import { PageId } from "../content/Page.ts"
import { SpaceId } from "../spaces/Space.ts"
import { UserId } from "../users/User.ts"
import {
  CommentId,
  CommentReplyId,
  CommentStatus,
  commentReactions,
  commentReplies,
  comments
} from "./Comment.ts"

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

/** The events of comments. */
export const commentEvents = resourceEvents(
  "comment",
  "A comment on a space or a change request.",
  comments,
  {
    data: CommentEventData,
    actions: ["resolved", "reopened"],
    actionOf: ({ status }) => (status === undefined ? undefined : status === "open" ? "reopened" : "resolved")
  }
)

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

/** The events of replies. */
export const commentReplyEvents = resourceEvents("commentReply", "A reply to a comment.", commentReplies, {
  data: CommentReplyEventData
})

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

/** The events of reactions. */
export const commentReactionEvents = resourceEvents(
  "commentReaction",
  "The reaction of a user to a comment or a reply.",
  commentReactions,
  {
    data: CommentReactionEventData
  }
)
