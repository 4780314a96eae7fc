/** Handlers of the operations on the comments on a space. */

import { CommentsApi } from "@lectern/client"
import { Comments } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

const targetOf = (params: { readonly spaceId: string }) => ({ space: params.spaceId })

/** The operations on the comments on a space, implemented. */
export const comments = Effect.map(Comments, (comments) =>
  implement(CommentsApi, {
    listCommentersInSpace: ({ params, query }) => comments.commenters(targetOf(params), query),
    listCommentsInSpace: ({ params, query }) => comments.list(targetOf(params), query),
    postCommentInSpace: ({ params, payload }) => comments.create(targetOf(params), payload),
    getCommentInSpace: ({ params, query }) => comments.get(targetOf(params), params.commentId, query),
    updateCommentInSpace: ({ params, payload }) =>
      comments.update(targetOf(params), params.commentId, payload),
    deleteCommentInSpace: ({ params }) => comments.remove(targetOf(params), params.commentId),
    listCommentRepliesInSpace: ({ params, query }) =>
      comments.replies(targetOf(params), params.commentId, query),
    postCommentReplyInSpace: ({ params, query, payload }) =>
      comments.createReply(targetOf(params), params.commentId, payload, query),
    getCommentReplyInSpace: ({ params, query }) =>
      comments.reply(targetOf(params), params.commentId, params.commentReplyId, query),
    updateCommentReplyInSpace: ({ params, payload }) =>
      comments.updateReply(targetOf(params), params.commentId, params.commentReplyId, payload),
    deleteCommentReplyInSpace: ({ params }) =>
      comments.removeReply(targetOf(params), params.commentId, params.commentReplyId)
  })
)
