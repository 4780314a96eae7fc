/** Writes to the favorites and recent pages of a user. */
import { oneIn, pickOne, type WriteKind, type WriteKinds } from "./writes.ts"

const putFavorite: WriteKind = (writer) => {
  const space = pickOne(writer, writer.spaces)
  if (space === undefined) return undefined
  const favorite = oneIn(writer, 2)
  return { method: "PUT", path: `/spaces/${space}/favorite`, body: { favorite }, facts: [] }
}

const recordRecentPage: WriteKind = (writer) => {
  const page = pickOne(writer, writer.pages)
  if (page === undefined) return undefined
  return {
    method: "PUT",
    path: `/spaces/${page.space}/recent-page`,
    body: { page: page.id },
    facts: []
  }
}

/** The kinds of writes to places, by their operations. */
export const placeWrites = {
  putFavorite: [putFavorite],
  recordRecentPage: [recordRecentPage]
} satisfies WriteKinds
