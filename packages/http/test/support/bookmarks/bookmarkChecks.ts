/** The invariants of bookmarks. */
import { type Check, type Examination, examination } from "@lectern/core"
import { Effect } from "effect"
import { bookmarks } from "./Bookmarks.ts"

const titled: Check = {
  name: "bookmark-title",
  invariant: "Every bookmark has a title.",
  source: "bookmarks/Bookmarks.ts"
}

/** The examinations of bookmarks. */
export const bookmarkExaminations: ReadonlyArray<Examination> = [
  examination(bookmarks, [titled], (_, rows) =>
    Effect.succeed(
      rows.filter(({ title }) => title === "").map((row) => ({ check: titled, row, message: "has no title" }))
    )
  )
]
