/** What came with people: invites, SAML providers, e-mail domains, and what members are found by. */
import { Table } from "@lectern/core"
import type { Migration } from "../Migration.ts"
import { addColumn, addIndex, makeTable, raw } from "../SchemaChange.ts"
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

const samlAnswers = Table.make("samlAnswers", {
  columns: { provider: text(), question: text(), expiresAt: text() },
  key: ["provider", "question"],
  references: { provider: { table: () => samlProviders, onRemove: "cascade" } },
  indexes: [["provider", "expiresAt"]]
})

/** What searches look through, of those who are there already. */
const fold = (newline: string) => (table: (name: string) => string) => [
  `UPDATE ${table("members")} SET "folded" = (SELECT LOWER("displayName") || ${newline} || "email" ` +
    `FROM ${table("users")} WHERE "id" = ${table("members")}."user")`,
  `UPDATE ${table("teams")} SET "folded" = LOWER("title")`
]

export const people: Migration = {
  number: 4,
  name: "people",
  changes: [
    ...[emailDomains, invites, samlProviders, samlAnswers].map(makeTable),
    addColumn("members", "ssoMissing", boolean(), { rows: false }),
    addColumn("members", "folded", text(), { rows: "" }),
    addIndex("members", ["organization", "role", "id", "user"]),
    addIndex("members", ["organization", "lastSeenAt", "user"]),
    addColumn("teams", "folded", text(), { rows: "" }),
    addColumn("organizations", "visitorKey", nullable(text())),
    addColumn("apiTokens", "organization", nullable(text()), { reference: ofOrganization.organization }),
    addIndex("apiTokens", ["organization", "id"]),
    addIndex("grants", ["target", "id"]),
    raw({ sqlite: fold("CHAR(10)"), postgres: fold("CHR(10)") })
  ]
}
