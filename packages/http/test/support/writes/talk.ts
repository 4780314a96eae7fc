/** Comments and replies. */
import { fact, isGone, isThere, type Kind, type Made, pick, text } from "./Write.ts"

/** What is written to them. */
export const talk: ReadonlyArray<Kind> = [
  (writer) => {
    const where = pick(writer, [
      ...writer.spaces.map((id) => `/spaces/${id}`),
      ...writer.proposals.map(({ path }) => path)
    ])
    if (where === undefined) return undefined
    return {
      method: "POST",
      path: `${where}/comments`,
      body: { body: { markdown: text(writer) } },
      done: ({ id }: Made) => {
        writer.comments.push(`${where}/comments/${id}`)
        return [isThere(`${where}/comments/${id}`)]
      }
    }
  },
  (writer) => {
    const comment = pick(writer, writer.comments)
    if (comment === undefined) return undefined
    const resolved = writer.draw(2) === 0
    return {
      method: "PUT",
      path: comment,
      body: { resolved, addedReactions: ["👍"] },
      facts: [fact(comment, "status", resolved ? "resolved" : "open")]
    }
  },
  (writer) => {
    const comment = pick(writer, writer.comments)
    if (comment === undefined) return undefined
    return {
      method: "POST",
      path: `${comment}/replies`,
      body: { body: { markdown: text(writer) } },
      done: ({ id }: Made) => [isThere(`${comment}/replies/${id}`)]
    }
  },
  (writer) => {
    const [comment] = writer.comments.splice(0, writer.comments.length < 3 ? 0 : 1)
    if (comment === undefined) return undefined
    return { method: "DELETE", path: comment, facts: [isGone(comment)] }
  }
]
