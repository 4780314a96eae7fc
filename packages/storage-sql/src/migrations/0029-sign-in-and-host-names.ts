/**
 * Adds sessions, one-time links that sign users in, the mails of the last hour, invitations by
 * e-mail address, links of accounts to users of
 * providers, and host names of sites. Released: do not change.
 */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { addColumn, addUnique, createTable } from "../SchemaChange.ts"
import { organizations, users } from "./0001-foundation.ts"

const { boolean, nullable, text } = Table

const sessions = Table.make("sessions", {
  columns: {
    id: text(),
    user: text(),
    organization: nullable(text()),
    provider: nullable(text()),
    method: text(),
    digest: text(),
    formerDigest: nullable(text()),
    formerExpiresAt: nullable(text()),
    rotationDue: boolean(),
    userAgent: nullable(text()),
    address: nullable(text()),
    createdAt: text(),
    authenticatedAt: text(),
    lastUsedAt: text(),
    expiresAt: text()
  },
  key: ["id"],
  unique: [["digest"], ["formerDigest"]],
  references: {
    user: { table: () => users, onRemove: "cascade" },
    organization: { table: () => organizations, onRemove: "cascade" }
  },
  indexes: [["user", "id"], ["organization"], ["provider"], ["expiresAt"], ["lastUsedAt"]]
})

const signInLinks = Table.make("signInLinks", {
  columns: {
    digest: text(),
    user: text(),
    method: text(),
    organization: nullable(text()),
    provider: nullable(text()),
    browser: nullable(text()),
    firstSignInOf: nullable(text()),
    createdAt: text(),
    expiresAt: text()
  },
  key: ["digest"],
  references: {
    user: { table: () => users, onRemove: "cascade" },
    organization: { table: () => organizations, onRemove: "cascade" },
    firstSignInOf: { table: () => organizations, onRemove: "cascade" }
  },
  indexes: [["user"], ["organization"], ["provider"], ["firstSignInOf"], ["expiresAt"]]
})

const signedInUsers = Table.make("signedInUsers", {
  columns: { user: text(), firstAt: text() },
  key: ["user"],
  references: { user: { table: () => users, onRemove: "cascade" } },
  indexes: []
})

const mails = Table.make("mails", {
  columns: { id: text(), recipient: text(), address: nullable(text()), createdAt: text() },
  key: ["id"],
  references: {},
  indexes: [["recipient", "createdAt"], ["address", "createdAt"], ["createdAt"]]
})

const invitations = Table.make("invitations", {
  columns: { organization: text(), user: text(), invitedBy: text(), createdAt: text(), expiresAt: text() },
  key: ["organization", "user"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" }
  },
  indexes: [["user"]]
})

const oidcSubjects = Table.make("oidcSubjects", {
  columns: { provider: text(), subject: text(), user: text(), createdAt: text() },
  key: ["provider", "subject"],
  references: { user: { table: () => users, onRemove: "cascade" } },
  indexes: [["user"]]
})

/** Its number is its position in the list of migrations. */
export const signInAndHostNamesMigration: Migration = {
  number: 29,
  name: "sign-in and host names",
  changes: [
    createTable(sessions),
    createTable(signInLinks),
    createTable(signedInUsers),
    createTable(mails),
    createTable(invitations),
    createTable(oidcSubjects),
    addColumn("sites", "hostname", nullable(text())),
    addUnique("sites", ["hostname"])
  ]
}
