/** Creates the table of Git synchronization, and adds the repository of a space. Released: do not change. */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { addColumn, createTable } from "../SchemaChange.ts"
import { spaces } from "./0001-foundation.ts"
import { changeRequests } from "./0002-content.ts"

const { json, nullable, text } = Table

const gitSyncs = Table.make("gitSyncs", {
  columns: {
    space: text(),
    user: text(),
    url: text(),
    credentials: nullable(text()),
    ref: text(),
    folder: text(),
    commitUrl: nullable(text()),
    revision: nullable(text()),
    commit: nullable(text()),
    changeRequest: nullable(text()),
    timestamp: nullable(text()),
    operation: text(),
    direction: text(),
    state: text(),
    stage: text(),
    error: nullable(text()),
    startedAt: text(),
    updatedAt: text(),
    completedAt: nullable(text())
  },
  key: ["space"],
  references: {
    space: { table: () => spaces, onRemove: "cascade" },
    changeRequest: { table: () => changeRequests, onRemove: "cascade" }
  },
  indexes: [["changeRequest"]]
})

export const gitSyncsMigration: Migration = {
  number: 19,
  name: "git syncs",
  changes: [createTable(gitSyncs), addColumn("spaces", "gitSync", nullable(json()))]
}
