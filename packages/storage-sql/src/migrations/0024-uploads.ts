/** Adds uploads, and the uploaded files of import runs. Released: do not change. */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { addColumn, createTable } from "../SchemaChange.ts"
import { organizations } from "./0001-foundation.ts"

const { integer, json, nullable, text } = Table

const stagedUploads = Table.make("stagedUploads", {
  columns: {
    id: text(),
    organization: text(),
    user: text(),
    kind: text(),
    name: text(),
    contentType: text(),
    size: integer(),
    hash: nullable(text()),
    createdAt: text(),
    expiresAt: text()
  },
  key: ["id"],
  references: { organization: { table: () => organizations, onRemove: "cascade" } },
  indexes: [["organization", "user"], ["expiresAt"]]
})

export const uploadsMigration: Migration = {
  number: 24,
  name: "uploads",
  changes: [createTable(stagedUploads), addColumn("importRuns", "files", nullable(json()))]
}
