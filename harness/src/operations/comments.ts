/** The operations on comments on spaces and change requests. */
import type { ChangeRequestCommentsApi, CommentsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"
import type { Scene } from "./scene.ts"

const words = (scene: Scene) => ({ body: { markdown: `Words, for @${scene.owner.email}.` } })

const comment = (scene: Scene) => ({ ...words(scene), page: scene.ids.pageId })

export const comments = {
  listCommentersInSpace: { serves: "Comments.listCommenters", rule: "space.read", statements: 11 },
  listCommentsInSpace: { serves: "Comments.list", rule: "space.read", statements: 8 },
  postCommentInSpace: {
    serves: "Comments.create",
    rule: "space.comment",
    statements: 11,
    repeated: "another",
    body: comment
  },
  getCommentInSpace: { serves: "Comments.get", rule: "space.read", statements: 7 },
  updateCommentInSpace: {
    serves: "Comments.update",
    rule: "comment.resolve.other",
    pathRule: "comment.reply.other",
    statements: 13,
    body: () => ({ resolved: true, addedReactions: ["👍"] })
  },
  deleteCommentInSpace: {
    serves: "Comments.remove",
    rule: "comment.delete.other",
    statements: 10,
    repeated: "404"
  },
  listCommentRepliesInSpace: { serves: "Comments.listReplies", rule: "space.read", statements: 9 },
  postCommentReplyInSpace: {
    serves: "Comments.createReply",
    rule: "comment.reply.other",
    statements: 12,
    repeated: "another",
    body: words
  },
  getCommentReplyInSpace: { serves: "Comments.getReply", rule: "space.read", statements: 8 },
  updateCommentReplyInSpace: {
    serves: "Comments.updateReply",
    rule: "comment.reply.other",
    statements: 11,
    body: () => ({ addedReactions: ["👍"] })
  },
  deleteCommentReplyInSpace: {
    serves: "Comments.removeReply",
    rule: "comment.delete.other",
    statements: 11,
    repeated: "404"
  }
} satisfies RowsOf<typeof CommentsApi>

export const changeRequestComments = {
  listCommentersInChangeRequest: {
    serves: "Comments.listCommenters",
    rule: "changeRequest.view.other",
    statements: 12
  },
  listCommentsInChangeRequest: { serves: "Comments.list", rule: "changeRequest.view.other", statements: 9 },
  postCommentInChangeRequest: {
    serves: "Comments.create",
    rule: "comment.reply.other",
    statements: 12,
    repeated: "another",
    body: comment
  },
  getCommentInChangeRequest: { serves: "Comments.get", rule: "changeRequest.view.other", statements: 8 },
  updateCommentInChangeRequest: {
    serves: "Comments.update",
    rule: "comment.resolve.other",
    pathRule: "comment.reply.other",
    statements: 14,
    body: () => ({ resolved: true, addedReactions: ["👍"] })
  },
  deleteCommentInChangeRequest: {
    serves: "Comments.remove",
    rule: "comment.delete.other",
    statements: 11,
    repeated: "404"
  },
  listCommentRepliesInChangeRequest: {
    serves: "Comments.listReplies",
    rule: "changeRequest.view.other",
    statements: 10
  },
  postCommentReplyInChangeRequest: {
    serves: "Comments.createReply",
    rule: "comment.reply.other",
    statements: 13,
    repeated: "another",
    body: words
  },
  getCommentReplyInChangeRequest: {
    serves: "Comments.getReply",
    rule: "changeRequest.view.other",
    statements: 9
  },
  updateCommentReplyInChangeRequest: {
    serves: "Comments.updateReply",
    rule: "comment.reply.other",
    statements: 12,
    body: () => ({ addedReactions: ["👍"] })
  },
  deleteCommentReplyInChangeRequest: {
    serves: "Comments.removeReply",
    rule: "comment.delete.other",
    statements: 12,
    repeated: "404"
  }
} satisfies RowsOf<typeof ChangeRequestCommentsApi>
