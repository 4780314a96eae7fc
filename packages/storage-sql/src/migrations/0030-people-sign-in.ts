/**
 * Adds OpenID Connect providers of organizations, the organization of links of accounts to their users, and the data by which
 * a logout ends the session at a provider.
 */
import { Table } from "@lectern/core"
import type { Migration } from "../Migration.ts"
import { addColumn, addIndex, createTable } from "../SchemaChange.ts"
import { organizations } from "./0001-foundation.ts"

const { json, nullable, text } = Table

const oidcProviders = Table.make("oidcProviders", {
  columns: {
    organization: text(),
    id: text(),
    label: text(),
    issuer: nullable(text()),
    clientID: nullable(text()),
    clientSecret: nullable(text()),
    domains: json(),
    groupsClaim: nullable(text()),
    groups: json(),
    defaultTeam: nullable(text()),
    defaultRole: nullable(text()),
    createdAt: text()
  },
  key: ["organization", "id"],
  unique: [["id"]],
  references: { organization: { table: () => organizations, onRemove: "cascade" } },
  indexes: [["defaultTeam"]]
})

/** Its number is its position in the list of migrations. */
export const peopleSignInMigration: Migration = {
  number: 30,
  name: "people sign in",
  changes: [
    createTable(oidcProviders),
    addColumn("oidcSubjects", "organization", nullable(text()), {
      reference: { table: () => organizations, onRemove: "cascade" }
    }),
    addIndex("oidcSubjects", ["organization", "provider", "subject"]),
    addColumn("sessions", "logout", nullable(text()))
  ]
}
