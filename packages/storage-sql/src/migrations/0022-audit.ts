/** Creates the tables of the audit log. Released: do not change. */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { createTable } from "../SchemaChange.ts"

const { json, nullable, text } = Table

const auditRecords = Table.make("auditRecords", {
  columns: {
    id: text(),
    organization: nullable(text()),
    createdAt: text(),
    operation: text(),
    outcome: text(),
    actor: nullable(text()),
    token: nullable(text()),
    address: nullable(text()),
    resources: text(),
    details: json()
  },
  key: ["id"],
  indexes: [["organization", "id"]]
})

const tokenAddresses = Table.make("tokenAddresses", {
  columns: {
    organization: text(),
    token: text(),
    network: text(),
    firstUsedAt: text()
  },
  key: ["organization", "token", "network"],
  indexes: [["firstUsedAt"]]
})

export const auditMigration: Migration = {
  number: 22,
  name: "audit",
  changes: [auditRecords, tokenAddresses].map(createTable)
}
