/**
 * Creates the index of pages again: in PostgreSQL with an index of titles, and in SQLite with row ids, and with the rows
 * of audiences in numbers of their own. Released: do not change.
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

const removeIndex = raw({
  sqlite: (table) =>
    ["searchPages", "searchPagesText", "searchPagesItems"].map(
      (name) => `DROP TABLE IF EXISTS ${table(name)}`
    ),
  postgres: (table) => [
    `DROP FUNCTION IF EXISTS ${table("searchPages_search")}(tsquery, tsquery)`,
    `DROP TABLE ${table("searchPages")}`
  ]
})

export const searchTitlesMigration: Migration = {
  number: 26,
  name: "search titles",
  changes: [removeIndex, createTable(searchPages)],
  makesStale: ["searchIndex"]
}
