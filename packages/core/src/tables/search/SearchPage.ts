/** The search index: the words of pages, the passages that results show, and the vocabulary of each space. */

import type { PageId } from "@lectern/model/content"
import type { SpaceId } from "@lectern/model/spaces"
import { Table } from "../../kernel/storage/index.ts"
import { lockedBySpace } from "../locks/tableLocks.ts"
import { spaces } from "../spaces/spaceTable.ts"

/** Text of a page under one heading, which results show excerpts of. */
export interface Passage {
  /** The heading; empty before the first heading. */
  readonly title: string
  /** The anchor of the heading; empty before the first heading. */
  readonly anchor: string
  /** The text without markup. */
  readonly text: string
}

/** A page above another one, with its emoji and its icon. */
export interface Breadcrumb {
  readonly id: PageId
  readonly title: string
  readonly emoji?: string
  readonly icon?: string
}

/** The parts of a result that are not searched. */
export interface PagePresentation {
  readonly emoji?: string
  readonly icon?: string
  /** The ancestors of the page, from the root. */
  readonly breadcrumbs: ReadonlyArray<Breadcrumb>
}

const searchPageColumns = {
  space: Table.text<SpaceId>(),
  page: Table.text<PageId>(),
  part: Table.integer(),
  audience: Table.text(),
  source: Table.text<PageId | "">(),
  name: Table.text(),
  nameWords: Table.text(),
  path: Table.text(),
  presentation: Table.json<PagePresentation>(),
  title: Table.text(),
  headings: Table.text(),
  body: Table.text(),
  kinds: Table.text(),
  forms: Table.text(),
  passages: Table.json<ReadonlyArray<Passage>>()
}
/** A row of the table `searchPages`. */
export interface SearchPageRow extends Table.RowOf<typeof searchPageColumns> {}

/**
 * The visible pages of the primary content of spaces. Long pages are divided into several parts.
 *
 * - `audience` names who finds the row, and is empty for everyone: see `audiences.ts`.
 * - `source` is the computed page that the page is generated from, and empty for other pages.
 * - `nameWords` contains the folded words of the title, by which titles are found that start with a query.
 * - `title`, `headings` and `body` contain stemmed words. `body` and `headings` have one line for each passage: a heading
 *   is in the line of its first passage. The last line of `headings` contains the words of the path.
 * - `kinds` has one character for each passage: `d` for the description, `c` for code, `t` for other text.
 * - `forms` contains the words that differ from their stems.
 */
export const searchPages: Table.ProtectedTable<"searchPages", SearchPageRow, "space" | "page" | "part"> =
  Table.makeProtected("searchPages", {
    tenant: null,
    columns: searchPageColumns,
    locking: lockedBySpace,
    key: ["space", "page", "part"],
    references: { space: { table: () => spaces, onRemove: "cascade" } },
    indexes: [["space", "nameWords"]],
    fullText: {
      scope: "space",
      item: "page",
      title: "title",
      headings: "headings",
      body: "body",
      forms: "forms",
      audience: "audience"
    }
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

const searchConditionColumns = {
  space: Table.text<SpaceId>(),
  audience: Table.text(),
  conditions: Table.json<ReadonlyArray<string>>()
}
/** A row of the table `searchConditions`. */
export interface SearchConditionRow extends Table.RowOf<typeof searchConditionColumns> {}

/**
 * The conditions of the audiences of each space, all of which a visitor meets to find the rows of the audience. The
 * conditions of removed pages stay until the index is rebuilt.
 */
export const searchConditions: Table.ProtectedTable<
  "searchConditions",
  SearchConditionRow,
  "space" | "audience"
> = Table.makeProtected("searchConditions", {
  tenant: null,
  columns: searchConditionColumns,
  locking: lockedBySpace,
  key: ["space", "audience"],
  references: { space: { table: () => spaces, onRemove: "cascade" } }
})
