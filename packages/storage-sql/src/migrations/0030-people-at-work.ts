/**
 * Adds the data of people and of their work in the application: OpenID Connect providers of organizations and logouts at them, joining
 * by domain, announcements of open pages, the automatic saves that revisions consist of, favorites and recent pages, stored
 * archives of exports, the lifetimes of renewable tokens, and customizations of site-spaces. Released: do not change.
 */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { addColumn, addIndex, createTable, limitIndex } from "../SchemaChange.ts"
import { organizations, spaces, users } from "./0001-foundation.ts"
import { siteSpaces } from "./0005-sites.ts"

const { boolean, integer, json, nullable, text } = Table

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

const places = Table.make("places", {
  columns: { organization: text(), user: text(), kind: text(), space: text(), page: text(), at: text() },
  key: ["organization", "user", "kind", "space", "page"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" },
    space: { table: () => spaces, onRemove: "cascade" }
  },
  indexes: [["organization", "user", "kind", "at"], ["user"], ["space"]]
})

const exportArchives = Table.make("exportArchives", {
  columns: {
    organization: text(),
    content: text(),
    holder: text(),
    hash: text(),
    createdAt: text(),
    expiresAt: text()
  },
  key: ["organization", "content"],
  references: { organization: { table: () => organizations, onRemove: "cascade" } },
  indexes: [["expiresAt"]]
})

const siteSpaceCustomizations = Table.make("siteSpaceCustomizations", {
  columns: { organization: text(), siteSpace: text(), site: text(), override: json() },
  key: ["organization", "siteSpace"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    siteSpace: { table: () => siteSpaces, onRemove: "cascade" }
  },
  indexes: [["siteSpace"], ["organization", "site"]]
})

export const peopleAtWorkMigration: Migration = {
  number: 30,
  name: "people at work",
  changes: [
    createTable(oidcProviders),
    addColumn("oidcSubjects", "organization", nullable(text()), {
      reference: { table: () => organizations, onRemove: "cascade" }
    }),
    addIndex("oidcSubjects", ["organization", "provider", "subject"]),
    addColumn("sessions", "logout", nullable(text())),
    addColumn("organizations", "domainJoin", boolean(), { backfill: false }),
    createTable(presences),
    addColumn("revisions", "automaticSince", nullable(text())),
    addColumn("revisions", "replaces", nullable(text())),
    addColumn("revisions", "replacedAt", nullable(text())),
    addIndex("revisions", ["replacedAt", "id"]),
    limitIndex("revisions", ["replacedAt", "id"]),
    createTable(places),
    createTable(exportArchives),
    createTable(siteSpaceCustomizations),
    addColumn("apiTokens", "renewalMillis", nullable(integer()))
  ]
}
