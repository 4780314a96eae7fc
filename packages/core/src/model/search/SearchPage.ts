/** The search index: the words of pages, the passages that results show, and the vocabulary of each space. */

import { Table } from "../../kernel/storage/index.ts"
import type { PageId } from "../content/Page.ts"
import { lockedBySpace } from "../locks/tableLocks.ts"
import { type SpaceId, spaces } from "../spaces/Space.ts"

/** The text of a page under one heading, which results show excerpts of. */
export interface Passage {
  /** The heading; empty before the first heading. */
  readonly title: string
  /** The anchor of the heading; empty before the first heading. */
  readonly anchor: string
  /** The text without markup. */
  readonly text: string
}

const searchPageColumns = {
  space: Table.text<SpaceId>(),
  page: Table.text<PageId>(),
  part: Table.integer(),
  name: Table.text(),
  path: Table.text(),
  title: Table.text(),
  headings: Table.text(),
  body: Table.text(),
  forms: Table.text(),
  passages: Table.json<ReadonlyArray<Passage>>()
}
/** A row of the table `searchPages`. */
export interface SearchPageRow extends Table.RowOf<typeof searchPageColumns> {}

/**
 * The visible pages of the primary content of spaces. Long pages are divided into several parts. `title` and `body`
 * contain stemmed words, with one line of `body` for each passage, and `headings` the words of the headings, with a line for
 * each passage as well; `forms` contains the words that differ from their stems.
 */
export const searchPages: Table.ProtectedTable<"searchPages", SearchPageRow, "space" | "page" | "part"> =
  Table.makeProtected("searchPages", {
    tenant: null,
    columns: searchPageColumns,
    locking: lockedBySpace,
    key: ["space", "page", "part"],
    references: { space: { table: () => spaces, onRemove: "cascade" } },
    fullText: { scope: "space", item: "page", title: "title", body: "body", forms: "forms" }
  })

const searchWordColumns = {
  space: Table.text<SpaceId>(),
  word: Table.text(),
  reversed: Table.text()
}
/** A row of the table `searchWords`. */
export interface SearchWordRow extends Table.RowOf<typeof searchWordColumns> {}

/**
 * The words of the indexed pages of each space, forwards and backwards: a misspelled word shares its beginning or its end
 * with the right one. Words of removed pages stay until the index is rebuilt.
 */
export const searchWords: Table.ProtectedTable<"searchWords", SearchWordRow, "space" | "word"> =
  Table.makeProtected("searchWords", {
    tenant: null,
    columns: searchWordColumns,
    locking: lockedBySpace,
    key: ["space", "word"],
    references: { space: { table: () => spaces, onRemove: "cascade" } },
    indexes: [["space", "reversed"]]
  })
