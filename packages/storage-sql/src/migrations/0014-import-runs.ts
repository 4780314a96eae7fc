/** Creates the import runs. Released: do not change. */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { createTable } from "../SchemaChange.ts"
import { organizations, spaces } from "./0001-foundation.ts"
import { changeRequests } from "./0002-content.ts"

const { boolean, integer, json, nullable, text } = Table

const importRuns = Table.make("importRuns", {
  columns: {
    id: text(),
    organization: text(),
    space: text(),
    changeRequest: nullable(text()),
    user: text(),
    source: text(),
    url: text(),
    status: text(),
    isAwaited: boolean(),
    imported: integer(),
    total: integer(),
    skippedCount: integer(),
    skipped: json(),
    pages: json(),
    checkpoint: json(),
    revision: nullable(text()),
    error: nullable(text()),
    startedAt: nullable(text()),
    completedAt: nullable(text()),
    createdAt: text()
  },
  key: ["id"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    space: { table: () => spaces, onRemove: "cascade" },
    changeRequest: { table: () => changeRequests, onRemove: "cascade" }
  },
  indexes: [["organization", "id"], ["space"], ["changeRequest"]]
})

export const importRunsMigration: Migration = {
  number: 14,
  name: "import runs",
  changes: [createTable(importRuns)]
}
