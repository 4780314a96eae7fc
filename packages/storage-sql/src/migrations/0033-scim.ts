/** The tables of provisioning by SCIM, and the language of the e-mails to a member. */
import { Table } from "@lectern/kernel"
import { addColumn, createTable, type SchemaChange } from "../SchemaChange.ts"
import { organizations, teams, users } from "./0001-foundation.ts"

const { json, nullable, text } = Table

const ofOrganization = { table: () => organizations, onRemove: "cascade" } as const

const provisionedMembers = Table.make("provisionedMembers", {
  columns: {
    organization: text(),
    user: text(),
    userName: text(),
    folded: text(),
    externalId: nullable(text()),
    profile: json(),
    createdAt: text(),
    updatedAt: text()
  },
  key: ["organization", "user"],
  unique: [["organization", "folded"]],
  references: { organization: ofOrganization, user: { table: () => users, onRemove: "cascade" } },
  indexes: [["organization", "externalId"], ["user"]]
})

const provisionedTeams = Table.make("provisionedTeams", {
  columns: { organization: text(), team: text(), externalId: nullable(text()), updatedAt: text() },
  key: ["organization", "team"],
  references: { organization: ofOrganization, team: { table: () => teams, onRemove: "cascade" } },
  indexes: [["organization", "externalId"], ["team"]]
})

/** The changes of the schema. */
export const scimChanges: ReadonlyArray<SchemaChange> = [
  createTable(provisionedMembers),
  createTable(provisionedTeams),
  addColumn("notificationSettings", "language", nullable(text()))
]
