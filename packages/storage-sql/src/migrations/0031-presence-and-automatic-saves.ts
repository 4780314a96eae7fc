/** Adds announcements of open pages, and the automatic saves that revisions consist of. Released: do not change. */
import { Table } from "@lectern/core"
import type { Migration } from "../Migration.ts"
import { addColumn, addIndex, createTable, limitIndex } from "../SchemaChange.ts"
import { organizations, spaces, users } from "./0001-foundation.ts"

const { nullable, text } = Table

const presences = Table.make("presences", {
  columns: {
    organization: text(),
    subject: text(),
    page: text(),
    user: text(),
    client: text(),
    space: text(),
    state: text(),
    expiresAt: text()
  },
  key: ["organization", "subject", "page", "user", "client"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    space: { table: () => spaces, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" }
  },
  indexes: [["space"], ["user"], ["expiresAt"]]
})

export const presenceMigration: Migration = {
  number: 31,
  name: "presence and automatic saves",
  changes: [
    createTable(presences),
    addColumn("revisions", "automaticSince", nullable(text())),
    addColumn("revisions", "replaces", nullable(text())),
    addColumn("revisions", "replacedAt", nullable(text())),
    addIndex("revisions", ["replacedAt", "id"]),
    limitIndex("revisions", ["replacedAt", "id"])
  ]
}
