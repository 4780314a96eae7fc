/** Pages as they are found: their words, and what is shown of them. */

import { Table } from "../../kernel/storage/index.ts"
import type { PageId } from "../content/Page.ts"
import { type SpaceId, spaces } from "../spaces/Space.ts"

/** A stretch of a page under one heading: what is shown of it where it is found. */
export interface Passage {
  readonly title: string
  /** The anchor of the heading; empty before the first one. */
  readonly anchor: string
  readonly text: string
}

/**
 * The pages of the primary content of spaces, in parts: one for most, several for long ones. What is hidden is not in
 * here. `title` and `body` are stems of words, a line of `body` for each of the passages; `forms` are words as they are
 * written, where their stems are others.
 */
export const searchPages = Table.make("searchPages", {
  columns: {
    space: Table.text<SpaceId>(),
    page: Table.text<PageId>(),
    part: Table.integer(),
    name: Table.text(),
    path: Table.text(),
    title: Table.text(),
    body: Table.text(),
    forms: Table.text(),
    passages: Table.json<ReadonlyArray<Passage>>()
  },
  key: ["space", "page", "part"],
  references: { space: { table: () => spaces, onRemove: "cascade" } },
  fullText: { scope: "space", item: "page", title: "title", body: "body", forms: "forms" }
})

export type SearchPageRow = Table.Row<typeof searchPages>
