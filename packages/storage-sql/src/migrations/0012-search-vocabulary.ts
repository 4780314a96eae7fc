/**
 * Creates the search index again, with the headings, the audiences and the breadcrumbs of pages, and its
 * vocabulary. Released: do not change.
 */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { createTable, raw } from "../SchemaChange.ts"
import { spaces } from "./0001-foundation.ts"

const { integer, json, text } = Table

const searchPages = Table.make("searchPages", {
  columns: {
    space: text(),
    page: text(),
    part: integer(),
    audience: text(),
    source: text(),
    name: text(),
    nameWords: text(),
    path: text(),
    presentation: json(),
    title: text(),
    headings: text(),
    body: text(),
    kinds: text(),
    forms: text(),
    passages: json()
  },
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

const searchWords = Table.make("searchWords", {
  columns: { space: text(), word: text(), reversed: text() },
  key: ["space", "word"],
  references: { space: { table: () => spaces, onRemove: "cascade" } },
  indexes: [["space", "reversed"]]
})

const searchConditions = Table.make("searchConditions", {
  columns: { space: text(), audience: text(), conditions: json() },
  key: ["space", "audience"],
  references: { space: { table: () => spaces, onRemove: "cascade" } }
})

const removeIndex = raw({
  sqlite: (table) =>
    ["searchPages", "searchPagesText", "searchPagesNumbers", "searchPagesItems"].map(
      (name) => `DROP TABLE IF EXISTS ${table(name)}`
    ),
  postgres: (table) => [
    `DROP FUNCTION IF EXISTS ${table("searchPages_search")}(tsquery, tsquery)`,
    `DROP TABLE ${table("searchPages")}`
  ]
})

export const searchVocabularyMigration: Migration = {
  number: 12,
  name: "search vocabulary",
  changes: [removeIndex, createTable(searchPages), createTable(searchWords), createTable(searchConditions)],
  makesStale: ["searchIndex"]
}
