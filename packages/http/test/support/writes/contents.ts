/** Collections and spaces. */
import {
  at,
  fact,
  fresh,
  isThere,
  type Kind,
  type Made,
  organizationOf,
  pick,
  renamed,
  type Write,
  type Writer
} from "./Write.ts"

const titled = (writer: Writer, list: "collections" | "spaces", parent: string | undefined): Write => {
  const title = fresh(writer)
  const body = parent === undefined ? { title } : { title, parent }
  return {
    method: "POST",
    path: `${organizationOf(writer)}/${list}`,
    body,
    done: ({ id }: Made) => {
      writer[list].push(id)
      return [fact(`/${list}/${id}`, "title", title), fact(`/${list}/${id}`, "parent", parent)]
    }
  }
}

const moved = (writer: Writer, list: "collections" | "spaces"): Write | undefined => {
  const id = pick(writer, writer[list])
  if (id === undefined) return undefined
  const parent = writer.draw(3) === 0 ? undefined : pick(writer, writer.collections)
  return {
    method: "POST",
    path: `/${list}/${id}/move`,
    body: { parent: parent ?? null },
    facts: [fact(`/${list}/${id}`, "parent", parent)]
  }
}

/** What is written to them. */
export const contents: ReadonlyArray<Kind> = [
  (writer) => titled(writer, "collections", undefined),
  (writer) => titled(writer, "spaces", pick(writer, writer.collections)),
  (writer) => titled(writer, "spaces", undefined),
  (writer) => renamed(writer, at("/spaces/", pick(writer, writer.spaces))),
  (writer) => renamed(writer, at("/collections/", pick(writer, writer.collections))),
  (writer) => moved(writer, "spaces"),
  (writer) => moved(writer, "collections"),
  (writer) => {
    const id = pick(writer, writer.spaces)
    if (id === undefined) return undefined
    return {
      method: "POST",
      path: `/spaces/${id}/duplicate`,
      body: {},
      done: (copy: Made) => {
        writer.spaces.push(copy.id)
        return [isThere(`/spaces/${copy.id}`)]
      }
    }
  },
  (writer) => {
    const id = writer.spaces.length < 4 ? undefined : writer.spaces[writer.spaces.length - 1]
    if (id === undefined) return undefined
    // Nothing in it is looked for any more.
    writer.spaces.pop()
    writer.pages.splice(0, writer.pages.length, ...writer.pages.filter(({ space }) => space !== id))
    writer.proposals.splice(
      0,
      writer.proposals.length,
      ...writer.proposals.filter(({ space }) => space !== id)
    )
    writer.comments.splice(0, writer.comments.length, ...writer.comments.filter((path) => !path.includes(id)))
    return {
      method: "DELETE",
      path: `/spaces/${id}`,
      facts: [fact(`/spaces/${id}`, "deletedAt?", true)],
      done: () => void writer.deleted.push(id)
    }
  },
  (writer) => {
    const id = writer.deleted.pop()
    if (id === undefined) return undefined
    return {
      method: "POST",
      path: `/spaces/${id}/restore`,
      facts: [fact(`/spaces/${id}`, "deletedAt?", false)],
      done: () => void writer.spaces.push(id)
    }
  }
]
