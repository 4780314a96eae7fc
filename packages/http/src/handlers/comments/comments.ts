/** Handlers of the endpoints for the comments on a space. */
import { CommentsApi } from "@lectern/client"
import { Comments, type SpaceId } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

const targetOf = (params: { readonly spaceId: SpaceId }) => ({ space: params.spaceId })

/** The handlers of the endpoints for the comments on a space. */
export const comments = Effect.map(Comments, (comments) =>
  implement(CommentsApi, {
    listCommentersInSpace: serve(comments.listCommenters, ({ params, query }) => ({
      target: targetOf(params),
      input: query
    })),
    listCommentsInSpace: serve(comments.list, ({ params, query }) => ({
      target: targetOf(params),
      input: query
    })),
    postCommentInSpace: serve(comments.create, ({ params, payload }) => ({
      target: targetOf(params),
      input: payload
    })),
    getCommentInSpace: serve(comments.get, ({ params, query }) => ({
      target: targetOf(params),
      comment: params.commentId,
      input: query
    })),
    updateCommentInSpace: serve(comments.update, ({ params, payload }) => ({
      target: targetOf(params),
      comment: params.commentId,
      input: payload
    })),
    deleteCommentInSpace: serve(comments.remove, ({ params }) => ({
      target: targetOf(params),
      comment: params.commentId
    })),
    listCommentRepliesInSpace: serve(comments.listReplies, ({ params, query }) => ({
      target: targetOf(params),
      comment: params.commentId,
      input: query
    })),
    postCommentReplyInSpace: serve(comments.createReply, ({ params, query, payload }) => ({
      target: targetOf(params),
      comment: params.commentId,
      input: { ...payload, ...query }
    })),
    getCommentReplyInSpace: serve(comments.getReply, ({ params, query }) => ({
      target: targetOf(params),
      comment: params.commentId,
      reply: params.commentReplyId,
      input: query
    })),
    updateCommentReplyInSpace: serve(comments.updateReply, ({ params, payload }) => ({
      target: targetOf(params),
      comment: params.commentId,
      reply: params.commentReplyId,
      input: payload
    })),
    deleteCommentReplyInSpace: serve(comments.removeReply, ({ params }) => ({
      target: targetOf(params),
      comment: params.commentId,
      reply: params.commentReplyId
    }))
  })
)
