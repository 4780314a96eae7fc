/** Adds passkeys and recovery codes, and second factors that organizations require. */
import { Table } from "@lectern/kernel"
import { addColumn, createTable, type SchemaChange } from "../SchemaChange.ts"
import { users } from "./0001-foundation.ts"
import { raiseVersions } from "./0031-cache-versions.ts"

const { boolean, integer, json, nullable, text } = Table

const ofUser = { user: { table: () => users, onRemove: "cascade" } } as const

const passkeys = Table.make("passkeys", {
  columns: {
    id: text(),
    user: text(),
    credential: text(),
    publicKey: text(),
    counter: integer(),
    transports: json(),
    isSynced: boolean(),
    host: text(),
    name: text(),
    createdAt: text(),
    lastUsedAt: nullable(text())
  },
  key: ["id"],
  unique: [["credential"]],
  references: ofUser,
  indexes: [["user", "id"]]
})

const usedChallenges = Table.make("usedChallenges", {
  columns: { digest: text(), expiresAt: text() },
  key: ["digest"],
  indexes: [["expiresAt"]]
})

const recoveryCodes = Table.make("recoveryCodes", {
  columns: { user: text(), digest: text(), createdAt: text() },
  key: ["user", "digest"],
  references: ofUser
})

const recoveryFailures = Table.make("recoveryFailures", {
  columns: { user: text(), failures: integer(), startedAt: text() },
  key: ["user"],
  references: ofUser
})

/** The changes of the schema. */
export const passkeyChanges: ReadonlyArray<SchemaChange> = [
  createTable(passkeys),
  createTable(usedChallenges),
  createTable(recoveryCodes),
  createTable(recoveryFailures),
  addColumn("sessions", "verifiedAt", nullable(text())),
  addColumn("organizations", "secondFactor", boolean(), { backfill: false }),
  addColumn("members", "secondFactor", boolean(), { backfill: false }),
  // Callers are cached with the columns of their memberships.
  raiseVersions(100, {
    table: "members",
    scopes: ["organization"],
    events: ["UPDATE"],
    columns: ["secondFactor"]
  })
]
