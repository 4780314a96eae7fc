import { CommentsApi } from "@lectern/client"
import { Comments } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"
import { commentTarget } from "../shared/parametersOf.ts"

export const comments = Effect.map(Comments, (comments) =>
  implement(
    CommentsApi,
    {
      listCommentersInSpace: comments.listCommenters,
      listCommentsInSpace: comments.list,
      postCommentInSpace: comments.create,
      getCommentInSpace: comments.get,
      updateCommentInSpace: comments.update,
      deleteCommentInSpace: comments.remove,
      listCommentRepliesInSpace: comments.listReplies,
      postCommentReplyInSpace: comments.createReply,
      getCommentReplyInSpace: comments.getReply,
      updateCommentReplyInSpace: comments.updateReply,
      deleteCommentReplyInSpace: comments.removeReply
    },
    commentTarget
  )
)
