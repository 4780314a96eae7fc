/** Adds the headings and the vocabulary to the search index, and schedules its rebuild. Released: do not change. */
import { Table } from "@lectern/core"
import type { Migration } from "../Migration.ts"
import { addColumn, createTable, raw } from "../SchemaChange.ts"
import { spaces } from "./0001-foundation.ts"

const { text } = Table

const searchWords = Table.make("searchWords", {
  columns: { space: text(), word: text(), reversed: text() },
  key: ["space", "word"],
  references: { space: { table: () => spaces, onRemove: "cascade" } },
  indexes: [["space", "reversed"]]
})

/** Enqueues a job for each space, which derives its rows again. Ids of spaces need no escapes in JSON. */
const scheduleRebuilds = (table: (name: string) => string) => [
  `INSERT INTO ${table("jobs")} ("id", "kind", "payload", "state", "runAt", "attempts", "error", "createdAt")
   SELECT 'search-' || "id", 'search', '{"space":"' || "id" || '"}', 'waiting',
     '2026-01-01T00:00:00.000Z', 0, NULL, '2026-01-01T00:00:00.000Z'
   FROM ${table("spaces")}`
]

export const searchVocabularyMigration: Migration = {
  number: 14,
  name: "search vocabulary",
  changes: [
    addColumn("searchPages", "headings", text(), { backfill: "" }),
    createTable(searchWords),
    raw({ sqlite: scheduleRebuilds, postgres: scheduleRebuilds })
  ]
}
