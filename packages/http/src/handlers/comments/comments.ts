/** What answers the operations on the comments on a space. */

import { CommentsApi } from "@lectern/client"
import { Comments } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../Handlers.ts"

const of = (params: { readonly spaceId: string }) => ({ space: params.spaceId })

/** The operations on the comments on a space, implemented. */
export const comments = Effect.map(Comments, (comments) =>
  implement(CommentsApi, {
    listCommentersInSpace: ({ params, query }) => comments.commenters(of(params), query),
    listCommentsInSpace: ({ params, query }) => comments.list(of(params), query),
    postCommentInSpace: ({ params, payload }) => comments.create(of(params), payload),
    getCommentInSpace: ({ params, query }) => comments.get(of(params), params.commentId, query),
    updateCommentInSpace: ({ params, payload }) => comments.update(of(params), params.commentId, payload),
    deleteCommentInSpace: ({ params }) => comments.remove(of(params), params.commentId),
    listCommentRepliesInSpace: ({ params, query }) => comments.replies(of(params), params.commentId, query),
    postCommentReplyInSpace: ({ params, query, payload }) =>
      comments.createReply(of(params), params.commentId, payload, query),
    getCommentReplyInSpace: ({ params, query }) =>
      comments.reply(of(params), params.commentId, params.commentReplyId, query),
    updateCommentReplyInSpace: ({ params, payload }) =>
      comments.updateReply(of(params), params.commentId, params.commentReplyId, payload),
    deleteCommentReplyInSpace: ({ params }) =>
      comments.removeReply(of(params), params.commentId, params.commentReplyId)
  })
)
