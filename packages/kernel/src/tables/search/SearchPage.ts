/** The search index: the words of pages, the passages that results show, and the vocabulary of each space. */

import type { PageId } from "@lectern/model/content"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SpaceId } from "@lectern/model/spaces"
import { Table } from "../../storage/index.ts"
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

const searchPartColumns = {
  space: Table.text<SpaceId>(),
  organization: Table.text<OrganizationId>(),
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
/** A row of the table `searchParts`. */
export interface SearchPartRow extends Table.RowOf<typeof searchPartColumns> {}

/**
 * The visible pages of the primary content of spaces. Long pages are divided into several parts. The organization is that of the
 * space: it is in the key, so that a search names the rows of one organization.
 *
 * - `audience` names who finds the row, and is empty for everyone: see `audiences.ts`.
 * - `source` is the computed page that the page is generated from, and empty for other pages.
 * - `nameWords` contains the folded words of the title, by which titles are found that start with a query.
 * - `title`, `headings` and `body` contain stemmed words. `body` and `headings` have one line for each passage: a heading
 *   is in the line of its first passage. The last line of `headings` contains the words of the path.
 * - `kinds` has one character for each passage: `d` for the description, `c` for code, `t` for other text.
 * - `forms` contains the words that differ from their stems.
 */
export const searchParts: Table.ProtectedTable<
  "searchParts",
  SearchPartRow,
  "space" | "organization" | "page" | "part"
> = Table.makeProtected("searchParts", {
  tenant: "organization",
  columns: searchPartColumns,
  locking: lockedBySpace,
  key: ["space", "organization", "page", "part"],
  references: { space: { table: () => spaces, onRemove: "cascade" } },
  indexes: [["space", "nameWords"]],
  fullText: {
    scope: "space",
    tenant: "organization",
    item: "page",
    title: "title",
    headings: "headings",
    body: "body",
    forms: "forms",
    audience: "audience"
  }
})

const searchVocabularyColumns = {
  space: Table.text<SpaceId>(),
  organization: Table.text<OrganizationId>(),
  bucket: Table.text(),
  words: Table.text()
}
/** A row of the table `searchVocabulary`. */
export interface SearchVocabularyRow extends Table.RowOf<typeof searchVocabularyColumns> {}

/**
 * The words of the indexed pages of each space, many in a row. The words of an edited page are in a row of this page, until a job
 * merges them into rows of words with the same beginning, and of words with the same end: see `vocabulary.ts`. Merged words of
 * removed pages stay until the index is rebuilt.
 */
export const searchVocabulary: Table.ProtectedTable<
  "searchVocabulary",
  SearchVocabularyRow,
  "space" | "organization" | "bucket"
> = Table.makeProtected("searchVocabulary", {
  tenant: "organization",
  columns: searchVocabularyColumns,
  locking: lockedBySpace,
  key: ["space", "organization", "bucket"],
  references: { space: { table: () => spaces, onRemove: "cascade" } }
})

const searchAudienceColumns = {
  space: Table.text<SpaceId>(),
  organization: Table.text<OrganizationId>(),
  audience: Table.text(),
  conditions: Table.json<ReadonlyArray<string>>()
}
/** A row of the table `searchAudiences`. */
export interface SearchAudienceRow extends Table.RowOf<typeof searchAudienceColumns> {}

/**
 * The conditions of the audiences of each space, all of which a visitor meets to find the rows of the audience. The
 * conditions of removed pages stay until the index is rebuilt.
 */
export const searchAudiences: Table.ProtectedTable<
  "searchAudiences",
  SearchAudienceRow,
  "space" | "organization" | "audience"
> = Table.makeProtected("searchAudiences", {
  tenant: "organization",
  columns: searchAudienceColumns,
  locking: lockedBySpace,
  key: ["space", "organization", "audience"],
  references: { space: { table: () => spaces, onRemove: "cascade" } }
})
