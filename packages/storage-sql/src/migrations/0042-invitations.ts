/** Adds invitations by e-mail address. Released: do not change. */
import { Table } from "@lectern/core"
import type { Migration } from "../Migration.ts"
import { createTable } from "../SchemaChange.ts"
import { organizations, users } from "./0001-foundation.ts"

const { text } = Table

const invitations = Table.make("invitations", {
  columns: { organization: text(), user: text(), invitedBy: text(), createdAt: text(), expiresAt: text() },
  key: ["organization", "user"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" }
  },
  indexes: [["user"]]
})

/** Its number is its position in the list of migrations. */
export const invitationsMigration: Migration = {
  number: 29,
  name: "invitations",
  changes: [createTable(invitations)]
}
