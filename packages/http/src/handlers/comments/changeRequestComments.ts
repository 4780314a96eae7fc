/** Handlers of the operations on the comments on a change request. */

import { ChangeRequestCommentsApi } from "@lectern/client"
import { Comments } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

const targetOf = (params: { readonly spaceId: string; readonly changeRequestId: string }) => ({
  space: params.spaceId,
  changeRequest: params.changeRequestId
})

/** The operations on the comments on a change request, implemented. */
export const changeRequestComments = Effect.map(Comments, (comments) =>
  implement(ChangeRequestCommentsApi, {
    listCommentersInChangeRequest: ({ params, query }) => comments.commenters(targetOf(params), query),
    listCommentsInChangeRequest: ({ params, query }) => comments.list(targetOf(params), query),
    postCommentInChangeRequest: ({ params, payload }) => comments.create(targetOf(params), payload),
    getCommentInChangeRequest: ({ params, query }) => comments.get(targetOf(params), params.commentId, query),
    updateCommentInChangeRequest: ({ params, payload }) =>
      comments.update(targetOf(params), params.commentId, payload),
    deleteCommentInChangeRequest: ({ params }) => comments.remove(targetOf(params), params.commentId),
    listCommentRepliesInChangeRequest: ({ params, query }) =>
      comments.replies(targetOf(params), params.commentId, query),
    postCommentReplyInChangeRequest: ({ params, query, payload }) =>
      comments.createReply(targetOf(params), params.commentId, payload, query),
    getCommentReplyInChangeRequest: ({ params, query }) =>
      comments.reply(targetOf(params), params.commentId, params.commentReplyId, query),
    updateCommentReplyInChangeRequest: ({ params, payload }) =>
      comments.updateReply(targetOf(params), params.commentId, params.commentReplyId, payload),
    deleteCommentReplyInChangeRequest: ({ params }) =>
      comments.removeReply(targetOf(params), params.commentId, params.commentReplyId)
  })
)
