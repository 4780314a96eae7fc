/** Creates the counts of rate limits. Released: do not change. */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { createTable } from "../SchemaChange.ts"

const rateLimitCounts = Table.make("rateLimits", {
  columns: { key: Table.text(), expiresAt: Table.text(), count: Table.integer() },
  key: ["key", "expiresAt"],
  indexes: [["expiresAt"]]
})

export const rateLimits: Migration = {
  number: 10,
  name: "rate limits",
  changes: [createTable(rateLimitCounts)]
}
