import { ChangeRequestCommentsApi } from "@lectern/client"
import { Comments } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"
import { commentTarget } from "../shared/parametersOf.ts"

export const changeRequestComments = Effect.map(Comments, (comments) =>
  implement(
    ChangeRequestCommentsApi,
    {
      listCommentersInChangeRequest: comments.listCommenters,
      listCommentsInChangeRequest: comments.list,
      postCommentInChangeRequest: comments.create,
      getCommentInChangeRequest: comments.get,
      updateCommentInChangeRequest: comments.update,
      deleteCommentInChangeRequest: comments.remove,
      listCommentRepliesInChangeRequest: comments.listReplies,
      postCommentReplyInChangeRequest: comments.createReply,
      getCommentReplyInChangeRequest: comments.getReply,
      updateCommentReplyInChangeRequest: comments.updateReply,
      deleteCommentReplyInChangeRequest: comments.removeReply
    },
    commentTarget
  )
)
