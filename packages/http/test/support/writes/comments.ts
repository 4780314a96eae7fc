/** Writes to comments and replies. */
import {
  type Created,
  exists,
  fact,
  isMissing,
  oneIn,
  pickOne,
  removeWhere,
  uniqueText,
  type WriteKind,
  type WriteKinds,
  type Writer
} from "./writes.ts"

/** Whether a path is in a space itself, or in a change request. */
type Place = "space" | "change request"

const isIn = (place: Place, path: string): boolean =>
  path.includes("/change-requests/") === (place === "change request")

const pickComment = (writer: Writer, place: Place): string | undefined =>
  pickOne(
    writer,
    writer.comments.filter((path) => isIn(place, path))
  )

const createComment =
  (place: Place): WriteKind =>
  (writer) => {
    const where = pickOne(
      writer,
      place === "space"
        ? writer.spaces.map((id) => `/spaces/${id}`)
        : writer.proposals.map(({ path }) => path)
    )
    if (where === undefined) return undefined
    return {
      method: "POST",
      path: `${where}/comments`,
      body: { body: { markdown: uniqueText(writer) } },
      done: ({ id }: Created) => {
        writer.comments.push(`${where}/comments/${id}`)
        return [exists(`${where}/comments/${id}`)]
      }
    }
  }

const updateComment =
  (place: Place): WriteKind =>
  (writer) => {
    const comment = pickComment(writer, place)
    if (comment === undefined) return undefined
    const resolved = oneIn(writer, 2)
    return {
      method: "PUT",
      path: comment,
      body: { resolved, addedReactions: ["👍"] },
      facts: [fact(comment, "status", resolved ? "resolved" : "open")]
    }
  }

const createReply =
  (place: Place): WriteKind =>
  (writer) => {
    const comment = pickComment(writer, place)
    if (comment === undefined) return undefined
    return {
      method: "POST",
      path: `${comment}/replies`,
      body: { body: { markdown: uniqueText(writer) } },
      done: ({ id }: Created) => {
        writer.replies.push(`${comment}/replies/${id}`)
        return [exists(`${comment}/replies/${id}`)]
      }
    }
  }

const pickReply = (writer: Writer, place: Place): string | undefined =>
  pickOne(
    writer,
    writer.replies.filter((path) => isIn(place, path))
  )

const updateReply =
  (place: Place): WriteKind =>
  (writer) => {
    const reply = pickReply(writer, place)
    if (reply === undefined) return undefined
    const markdown = uniqueText(writer)
    return {
      method: "PUT",
      path: reply,
      body: { body: { markdown } },
      facts: [fact(reply, "body.markdown", markdown)]
    }
  }

const deleteReply =
  (place: Place): WriteKind =>
  (writer) => {
    const reply = pickReply(writer, place)
    if (reply === undefined) return undefined
    removeWhere(writer.replies, (path) => path === reply)
    return { method: "DELETE", path: reply, facts: [isMissing(reply)] }
  }

const deleteComment =
  (place: Place): WriteKind =>
  (writer) => {
    const comment = writer.comments.length < 3 ? undefined : pickComment(writer, place)
    if (comment === undefined) return undefined
    removeWhere(writer.comments, (path) => path === comment)
    removeWhere(writer.replies, (path) => path.startsWith(comment))
    return { method: "DELETE", path: comment, facts: [isMissing(comment)] }
  }

/** The kinds of these writes, by operation. */
export const commentWrites = {
  postCommentInSpace: [createComment("space")],
  postCommentInChangeRequest: [createComment("change request")],
  updateCommentInSpace: [updateComment("space")],
  updateCommentInChangeRequest: [updateComment("change request")],
  postCommentReplyInSpace: [createReply("space")],
  postCommentReplyInChangeRequest: [createReply("change request")],
  updateCommentReplyInSpace: [updateReply("space")],
  updateCommentReplyInChangeRequest: [updateReply("change request")],
  deleteCommentReplyInSpace: [deleteReply("space")],
  deleteCommentReplyInChangeRequest: [deleteReply("change request")],
  deleteCommentInSpace: [deleteComment("space")],
  deleteCommentInChangeRequest: [deleteComment("change request")]
} satisfies WriteKinds
