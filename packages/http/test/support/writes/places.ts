/** Writes to the favorites and recent pages of a user. */
import { pickOne, type WriteKind, type WriteKinds } from "./writes.ts"

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
  recordRecentPage: [recordRecentPage]
} satisfies WriteKinds
