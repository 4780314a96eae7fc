/** What answers the operations on the comments on a change request. */

import { ChangeRequestCommentsApi } from "@lectern/client"
import { Comments } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../Handlers.ts"

const of = (params: { readonly spaceId: string; readonly changeRequestId: string }) => ({
  space: params.spaceId,
  changeRequest: params.changeRequestId
})

/** The operations on the comments on a change request, implemented. */
export const changeRequestComments = Effect.map(Comments, (comments) =>
  implement(ChangeRequestCommentsApi, {
    listCommentersInChangeRequest: ({ params, query }) => comments.commenters(of(params), query),
    listCommentsInChangeRequest: ({ params, query }) => comments.list(of(params), query),
    postCommentInChangeRequest: ({ params, payload }) => comments.create(of(params), payload),
    getCommentInChangeRequest: ({ params, query }) => comments.get(of(params), params.commentId, query),
    updateCommentInChangeRequest: ({ params, payload }) =>
      comments.update(of(params), params.commentId, payload),
    deleteCommentInChangeRequest: ({ params }) => comments.remove(of(params), params.commentId),
    listCommentRepliesInChangeRequest: ({ params, query }) =>
      comments.replies(of(params), params.commentId, query),
    postCommentReplyInChangeRequest: ({ params, query, payload }) =>
      comments.createReply(of(params), params.commentId, payload, query),
    getCommentReplyInChangeRequest: ({ params, query }) =>
      comments.reply(of(params), params.commentId, params.commentReplyId, query),
    updateCommentReplyInChangeRequest: ({ params, payload }) =>
      comments.updateReply(of(params), params.commentId, params.commentReplyId, payload),
    deleteCommentReplyInChangeRequest: ({ params }) =>
      comments.removeReply(of(params), params.commentId, params.commentReplyId)
  })
)
