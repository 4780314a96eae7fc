/** Handlers of the endpoints for the comments on a change request. */
import { ChangeRequestCommentsApi } from "@lectern/client"
import { Comments, type SpaceId } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

const targetOf = (params: { readonly spaceId: SpaceId; readonly changeRequestId: string }) => ({
  space: params.spaceId,
  changeRequest: params.changeRequestId
})

/** The handlers of the endpoints for the comments on a change request. */
export const changeRequestComments = Effect.map(Comments, (comments) =>
  implement(ChangeRequestCommentsApi, {
    listCommentersInChangeRequest: serve(comments.listCommenters, ({ params, query }) => ({
      target: targetOf(params),
      input: query
    })),
    listCommentsInChangeRequest: serve(comments.list, ({ params, query }) => ({
      target: targetOf(params),
      input: query
    })),
    postCommentInChangeRequest: serve(comments.create, ({ params, payload }) => ({
      target: targetOf(params),
      input: payload
    })),
    getCommentInChangeRequest: serve(comments.get, ({ params, query }) => ({
      target: targetOf(params),
      comment: params.commentId,
      input: query
    })),
    updateCommentInChangeRequest: serve(comments.update, ({ params, payload }) => ({
      target: targetOf(params),
      comment: params.commentId,
      input: payload
    })),
    deleteCommentInChangeRequest: serve(comments.remove, ({ params }) => ({
      target: targetOf(params),
      comment: params.commentId
    })),
    listCommentRepliesInChangeRequest: serve(comments.listReplies, ({ params, query }) => ({
      target: targetOf(params),
      comment: params.commentId,
      input: query
    })),
    postCommentReplyInChangeRequest: serve(comments.createReply, ({ params, query, payload }) => ({
      target: targetOf(params),
      comment: params.commentId,
      input: { ...payload, ...query }
    })),
    getCommentReplyInChangeRequest: serve(comments.getReply, ({ params, query }) => ({
      target: targetOf(params),
      comment: params.commentId,
      reply: params.commentReplyId,
      input: query
    })),
    updateCommentReplyInChangeRequest: serve(comments.updateReply, ({ params, payload }) => ({
      target: targetOf(params),
      comment: params.commentId,
      reply: params.commentReplyId,
      input: payload
    })),
    deleteCommentReplyInChangeRequest: serve(comments.removeReply, ({ params }) => ({
      target: targetOf(params),
      comment: params.commentId,
      reply: params.commentReplyId
    }))
  })
)
