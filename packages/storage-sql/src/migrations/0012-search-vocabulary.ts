/** Adds the headings and the vocabulary to the search index, which must be rebuilt. Released: do not change. */
import { Table } from "@lectern/core"
import type { Migration } from "../Migration.ts"
import { addColumn, createTable } from "../SchemaChange.ts"
import { spaces } from "./0001-foundation.ts"

const { text } = Table

const searchWords = Table.make("searchWords", {
  columns: { space: text(), word: text(), reversed: text() },
  key: ["space", "word"],
  references: { space: { table: () => spaces, onRemove: "cascade" } },
  indexes: [["space", "reversed"]]
})

export const searchVocabularyMigration: Migration = {
  number: 12,
  name: "search vocabulary",
  changes: [addColumn("searchPages", "headings", text(), { backfill: "" }), createTable(searchWords)],
  makesStale: ["searchIndex"]
}
