/** Adds the queue of operations of Git synchronization, and the commit that an export is pushing. Released: do not change. */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { addColumn } from "../SchemaChange.ts"

const { json, nullable, text } = Table

export const gitQueuesMigration: Migration = {
  number: 28,
  name: "git queues",
  changes: [
    addColumn("gitSyncs", "queue", nullable(json())),
    addColumn("gitSyncs", "previous", nullable(json())),
    addColumn("gitSyncs", "pushOperation", nullable(text())),
    addColumn("gitSyncs", "pushRevision", nullable(text())),
    addColumn("gitSyncs", "pushBase", nullable(text()))
  ]
}
