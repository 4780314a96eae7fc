/** The events that are recorded from changed rows. */

import { CommentEventData, CommentReactionEventData, CommentReplyEventData } from "@lectern/model/comments"
import { resourceEvents } from "../../storage/ResourceEvents.ts"
import { commentReactions, commentReplies, comments } from "./commentTables.ts"

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

/** The events of replies. */
export const commentReplyEvents = resourceEvents("commentReply", "A reply to a comment.", commentReplies, {
  data: CommentReplyEventData
})

/** The events of reactions. */
export const commentReactionEvents = resourceEvents(
  "commentReaction",
  "The reaction of a user to a comment or a reply.",
  commentReactions,
  {
    data: CommentReactionEventData
  }
)
