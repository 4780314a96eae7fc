/** Creates the table of idempotency keys. Released: do not change. */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { createTable } from "../SchemaChange.ts"

const { nullable, text } = Table

const idempotencyKeys = Table.make("idempotencyKeys", {
  columns: { id: text(), fingerprint: text(), result: nullable(text()), expiresAt: text() },
  key: ["id"],
  indexes: [["expiresAt"]]
})

export const idempotencyKeysMigration: Migration = {
  number: 9,
  name: "idempotency keys",
  changes: [createTable(idempotencyKeys)]
}
