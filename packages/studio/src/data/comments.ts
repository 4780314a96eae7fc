/** Comments on the content of a place: on a page, on a block of it, or on a change request as a whole. */
import type { Comment, CommentReply, PostComment, UpdateComment } from "@lectern/client/fetch"
import { client } from "../session.ts"
import { invalidate } from "./cache.ts"
import type { Place } from "./content.ts"
import { useList } from "./lists.ts"
import type { Resource } from "./useResource.ts"

/** The key of all comments of a place. */
export const commentsKey = ({ spaceId, change = "current" }: Place): string => `comments/${spaceId}/${change}`

/** The comments of a place on a page, oldest first; without a page, all of them. */
export const useComments = (
  place: Place,
  page: string | undefined,
  isEnabled = true
): Resource<ReadonlyArray<Comment>> =>
  useList(isEnabled ? `${commentsKey(place)}/list/${page ?? ""}` : undefined, (range, signal) => {
    const { spaceId, change } = place
    const query = {
      ...range,
      format: "document" as const,
      order: "asc" as const,
      status: "all" as const,
      ...(page === undefined ? {} : { targetPage: page })
    }
    return change === undefined
      ? client.comments.listCommentsInSpace({ params: { spaceId }, query }, { signal })
      : client.changeRequestComments.listCommentsInChangeRequest(
          { params: { spaceId, changeRequestId: change }, query },
          { signal }
        )
  })

/** The replies to a comment, oldest first. */
export const useReplies = (
  place: Place,
  comment: Comment,
  isEnabled: boolean
): Resource<ReadonlyArray<CommentReply>> =>
  useList(isEnabled ? `${commentsKey(place)}/replies/${comment.id}` : undefined, (range, signal) => {
    const { spaceId, change } = place
    const query = { ...range, format: "document" as const }
    const commentId = comment.id
    return change === undefined
      ? client.comments.listCommentRepliesInSpace({ params: { spaceId, commentId }, query }, { signal })
      : client.changeRequestComments.listCommentRepliesInChangeRequest(
          { params: { spaceId, changeRequestId: change, commentId }, query },
          { signal }
        )
  })

/** Names a comment, or a reply to it. */
export interface CommentName {
  readonly comment: string
  readonly reply?: string
}

/** Loads the Markdown of a comment or of a reply, to edit it. */
export const loadCommentText = async (
  { spaceId, change }: Place,
  { comment, reply }: CommentName
): Promise<string> => {
  const query = { format: "markdown" as const }
  const { body } =
    change === undefined
      ? reply === undefined
        ? await client.comments.getCommentInSpace({ params: { spaceId, commentId: comment }, query })
        : await client.comments.getCommentReplyInSpace({
            params: { spaceId, commentId: comment, commentReplyId: reply },
            query
          })
      : reply === undefined
        ? await client.changeRequestComments.getCommentInChangeRequest({
            params: { spaceId, changeRequestId: change, commentId: comment },
            query
          })
        : await client.changeRequestComments.getCommentReplyInChangeRequest({
            params: { spaceId, changeRequestId: change, commentId: comment, commentReplyId: reply },
            query
          })
  return body.markdown ?? ""
}

const refresh = (place: Place): void => invalidate(commentsKey(place))

/** Posts a comment. */
export const postComment = async (place: Place, payload: PostComment): Promise<Comment> => {
  const { spaceId, change } = place
  const posted =
    change === undefined
      ? await client.comments.postCommentInSpace({ params: { spaceId }, payload })
      : await client.changeRequestComments.postCommentInChangeRequest({
          params: { spaceId, changeRequestId: change },
          payload
        })
  refresh(place)
  return posted
}

/** Posts a reply to a comment. */
export const postReply = async (place: Place, commentId: string, markdown: string): Promise<void> => {
  const { spaceId, change } = place
  const payload = { body: { markdown } }
  if (change === undefined)
    await client.comments.postCommentReplyInSpace({ params: { spaceId, commentId }, payload })
  else {
    await client.changeRequestComments.postCommentReplyInChangeRequest({
      params: { spaceId, changeRequestId: change, commentId },
      payload
    })
  }
  refresh(place)
}

/** Changes the text of a comment, or whether it is resolved. */
export const updateComment = (
  { spaceId, change }: Place,
  commentId: string,
  payload: UpdateComment
): Promise<Comment> =>
  change === undefined
    ? client.comments.updateCommentInSpace({ params: { spaceId, commentId }, payload })
    : client.changeRequestComments.updateCommentInChangeRequest({
        params: { spaceId, changeRequestId: change, commentId },
        payload
      })

/** Changes the text of a comment or of a reply. */
export const editCommentText = async (place: Place, name: CommentName, markdown: string): Promise<void> => {
  const { spaceId, change } = place
  const { comment: commentId, reply } = name
  const payload = { body: { markdown } }
  if (reply === undefined) await updateComment(place, commentId, payload)
  else if (change === undefined) {
    await client.comments.updateCommentReplyInSpace({
      params: { spaceId, commentId, commentReplyId: reply },
      payload
    })
  } else {
    await client.changeRequestComments.updateCommentReplyInChangeRequest({
      params: { spaceId, changeRequestId: change, commentId, commentReplyId: reply },
      payload
    })
  }
  refresh(place)
}

/** Deletes a comment with its replies, or a reply. */
export const deleteComment = (
  { spaceId, change }: Place,
  { comment: commentId, reply }: CommentName
): Promise<void> => {
  if (change === undefined) {
    return reply === undefined
      ? client.comments.deleteCommentInSpace({ params: { spaceId, commentId } })
      : client.comments.deleteCommentReplyInSpace({ params: { spaceId, commentId, commentReplyId: reply } })
  }
  const params = { spaceId, changeRequestId: change, commentId }
  return reply === undefined
    ? client.changeRequestComments.deleteCommentInChangeRequest({ params })
    : client.changeRequestComments.deleteCommentReplyInChangeRequest({
        params: { ...params, commentReplyId: reply }
      })
}
