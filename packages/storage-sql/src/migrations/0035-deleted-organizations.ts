/** The table and columns of the trash of organizations: when they were deleted, and the rows that their deletion has suspended. */
import { Table } from "@lectern/kernel"
import { addColumn, addIndex, createTable, type SchemaChange } from "../SchemaChange.ts"
import { organizations } from "./0001-foundation.ts"

const { boolean, nullable, text } = Table

const suspensions = Table.make("suspensions", {
  columns: { organization: text(), kind: text(), subject: text() },
  key: ["organization", "kind", "subject"],
  references: { organization: { table: () => organizations, onRemove: "cascade" } }
})

export const deletedOrganizationsChanges: ReadonlyArray<SchemaChange> = [
  addColumn("organizations", "deletedAt", nullable(text())),
  addColumn("organizations", "isPurging", boolean(), { backfill: false }),
  addIndex("organizations", ["deletedAt", "id"]),
  createTable(suspensions)
]
