/** The operations on comments on spaces and change requests. */
import type { ChangeRequestCommentsApi, CommentsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"
import type { Scene } from "./scene.ts"

const words = (scene: Scene) => ({ body: { markdown: `Words, for @${scene.owner.email}.` } })

const comment = (scene: Scene) => ({ ...words(scene), page: scene.ids.pageId })

export const comments = {
  listCommentersInSpace: { serves: "Comments.listCommenters", rule: "space.read" },
  listCommentsInSpace: { serves: "Comments.list", rule: "space.read" },
  postCommentInSpace: {
    serves: "Comments.create",
    rule: "space.comment",
    repeated: "another",
    body: comment
  },
  getCommentInSpace: { serves: "Comments.get", rule: "space.read" },
  updateCommentInSpace: {
    serves: "Comments.update",
    rule: "comment.resolve.other",
    pathRule: "comment.reply.other",
    body: () => ({ resolved: true, addedReactions: ["👍"] })
  },
  deleteCommentInSpace: {
    serves: "Comments.remove",
    rule: "comment.delete.other",
    repeated: "404"
  },
  listCommentRepliesInSpace: { serves: "Comments.listReplies", rule: "space.read" },
  postCommentReplyInSpace: {
    serves: "Comments.createReply",
    rule: "comment.reply.other",
    repeated: "another",
    body: words
  },
  getCommentReplyInSpace: { serves: "Comments.getReply", rule: "space.read" },
  updateCommentReplyInSpace: {
    serves: "Comments.updateReply",
    rule: "comment.reply.other",
    body: () => ({ addedReactions: ["👍"] })
  },
  deleteCommentReplyInSpace: {
    serves: "Comments.removeReply",
    rule: "comment.delete.other",
    repeated: "404"
  }
} satisfies RowsOf<typeof CommentsApi>

export const changeRequestComments = {
  listCommentersInChangeRequest: {
    serves: "Comments.listCommenters",
    rule: "changeRequest.view.other"
  },
  listCommentsInChangeRequest: { serves: "Comments.list", rule: "changeRequest.view.other" },
  postCommentInChangeRequest: {
    serves: "Comments.create",
    rule: "comment.reply.other",
    repeated: "another",
    body: comment
  },
  getCommentInChangeRequest: { serves: "Comments.get", rule: "changeRequest.view.other" },
  updateCommentInChangeRequest: {
    serves: "Comments.update",
    rule: "comment.resolve.other",
    pathRule: "comment.reply.other",
    body: () => ({ resolved: true, addedReactions: ["👍"] })
  },
  deleteCommentInChangeRequest: {
    serves: "Comments.remove",
    rule: "comment.delete.other",
    repeated: "404"
  },
  listCommentRepliesInChangeRequest: {
    serves: "Comments.listReplies",
    rule: "changeRequest.view.other"
  },
  postCommentReplyInChangeRequest: {
    serves: "Comments.createReply",
    rule: "comment.reply.other",
    repeated: "another",
    body: words
  },
  getCommentReplyInChangeRequest: {
    serves: "Comments.getReply",
    rule: "changeRequest.view.other"
  },
  updateCommentReplyInChangeRequest: {
    serves: "Comments.updateReply",
    rule: "comment.reply.other",
    body: () => ({ addedReactions: ["👍"] })
  },
  deleteCommentReplyInChangeRequest: {
    serves: "Comments.removeReply",
    rule: "comment.delete.other",
    repeated: "404"
  }
} satisfies RowsOf<typeof ChangeRequestCommentsApi>
