/** Writes to comments and replies. */
import {
  type Created,
  exists,
  fact,
  isMissing,
  oneIn,
  pickOne,
  uniqueText,
  type WriteKind
} from "./writes.ts"

const createComment: WriteKind = (writer) => {
  const where = pickOne(writer, [
    ...writer.spaces.map((id) => `/spaces/${id}`),
    ...writer.proposals.map(({ path }) => path)
  ])
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

const updateComment: WriteKind = (writer) => {
  const comment = pickOne(writer, writer.comments)
  if (comment === undefined) return undefined
  const resolved = oneIn(writer, 2)
  return {
    method: "PUT",
    path: comment,
    body: { resolved, addedReactions: ["👍"] },
    facts: [fact(comment, "status", resolved ? "resolved" : "open")]
  }
}

const createReply: WriteKind = (writer) => {
  const comment = pickOne(writer, writer.comments)
  if (comment === undefined) return undefined
  return {
    method: "POST",
    path: `${comment}/replies`,
    body: { body: { markdown: uniqueText(writer) } },
    done: ({ id }: Created) => [exists(`${comment}/replies/${id}`)]
  }
}

const deleteComment: WriteKind = (writer) => {
  const [comment] = writer.comments.splice(0, writer.comments.length < 3 ? 0 : 1)
  if (comment === undefined) return undefined
  return { method: "DELETE", path: comment, facts: [isMissing(comment)] }
}

/** The kinds of writes to them. */
export const commentWrites: ReadonlyArray<WriteKind> = [
  createComment,
  updateComment,
  createReply,
  deleteComment
]
