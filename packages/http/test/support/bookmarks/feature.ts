/** The manifest of the feature `bookmarks` of a host. */
import { defineFeature } from "@lectern/core"
import { Bookmarks, bookmarks } from "./Bookmarks.ts"
import { bookmarkExaminations } from "./bookmarkChecks.ts"

/** Bookmarks of spaces. */
export const bookmarksFeature = defineFeature("bookmarks", {
  tables: [bookmarks],
  userServices: { bookmarks: Bookmarks },
  layer: Bookmarks.layer,
  examinations: bookmarkExaminations
})
