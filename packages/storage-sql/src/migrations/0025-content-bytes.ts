/**
 * Adds how many bytes were written to spaces and change requests. A job counts the existing content. Removes the index of
 * revisions by their content, which no query uses, and limits two others to
 * the few rows that have a value. Released: do not change.
 */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { addColumn, dropIndex, limitIndex } from "../SchemaChange.ts"

const { boolean, integer } = Table

export const contentBytesMigration: Migration = {
  number: 25,
  name: "content bytes",
  changes: [
    addColumn("spaces", "contentBytes", integer(), { backfill: 0 }),
    addColumn("spaces", "isCounted", boolean(), { backfill: false }),
    addColumn("changeRequests", "contentBytes", integer(), { backfill: 0 }),
    dropIndex("revisions", ["root", "id"]),
    limitIndex("revisions", ["changeRequest", "id"]),
    limitIndex("revisions", ["mergedFrom", "id"])
  ]
}
