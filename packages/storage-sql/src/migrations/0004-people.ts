/**
 * Creates the tables of invites, SAML providers and e-mail domains, and adds the columns by which members and teams are
 * searched. Released: do not change.
 */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { addColumn, addIndex, createTable, raw } from "../SchemaChange.ts"
import { organizations } from "./0001-foundation.ts"

const { boolean, nullable, text } = Table

const ofOrganization = { organization: { table: () => organizations, onRemove: "cascade" } } as const

const emailDomains = Table.make("emailDomains", {
  columns: { organization: text(), domain: text() },
  key: ["organization", "domain"],
  references: ofOrganization,
  indexes: [["domain", "organization"]]
})

const invites = Table.make("invites", {
  columns: {
    id: text(),
    organization: text(),
    role: nullable(text()),
    createdBy: text(),
    createdAt: text()
  },
  key: ["id"],
  references: ofOrganization,
  indexes: [["organization", "id"]]
})

const samlProviders = Table.make("samlProviders", {
  columns: {
    id: text(),
    organization: text(),
    label: text(),
    entityID: nullable(text()),
    certificate: nullable(text()),
    ssoURL: nullable(text()),
    defaultTeam: nullable(text()),
    defaultRole: nullable(text()),
    isActive: boolean(),
    createdAt: text()
  },
  key: ["id"],
  references: ofOrganization,
  indexes: [["organization", "id"], ["defaultTeam"]]
})

// The table of accepted SAML responses, which prevents their replay.
const samlResponses = Table.make("samlAnswers", {
  columns: { provider: text(), question: text(), expiresAt: text() },
  key: ["provider", "question"],
  references: { provider: { table: () => samlProviders, onRemove: "cascade" } },
  indexes: [["provider", "expiresAt"]]
})

/** Fills the column `folded`, the lowercase text that a search matches, for existing members and teams. */
const fillFolded = (newline: string) => (table: (name: string) => string) => [
  `UPDATE ${table("members")} SET "folded" = (SELECT LOWER("displayName") || ${newline} || "email" ` +
    `FROM ${table("users")} WHERE "id" = ${table("members")}."user")`,
  `UPDATE ${table("teams")} SET "folded" = LOWER("title")`
]

export const people: Migration = {
  number: 4,
  name: "people",
  changes: [
    ...[emailDomains, invites, samlProviders, samlResponses].map(createTable),
    addColumn("members", "ssoMissing", boolean(), { backfill: false }),
    addColumn("members", "folded", text(), { backfill: "" }),
    addIndex("members", ["organization", "role", "id", "user"]),
    addIndex("members", ["organization", "lastSeenAt", "user"]),
    addColumn("teams", "folded", text(), { backfill: "" }),
    addColumn("organizations", "visitorKey", nullable(text())),
    addColumn("apiTokens", "organization", nullable(text()), { reference: ofOrganization.organization }),
    addIndex("apiTokens", ["organization", "id"]),
    addIndex("grants", ["target", "id"]),
    raw({ sqlite: fillFolded("CHAR(10)"), postgres: fillFolded("CHR(10)") })
  ]
}
