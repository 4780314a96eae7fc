/** Creates the tables of translations and integrations. Released: do not change. */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { createTable } from "../SchemaChange.ts"
import { organizations } from "./0001-foundation.ts"

const { boolean, bytes, integer, json, nullable, text } = Table

const ofOrganization = { table: () => organizations, onRemove: "cascade" } as const

const translations = Table.make("translations", {
  columns: {
    id: text(),
    organization: text(),
    title: text(),
    languages: json(),
    createdAt: text(),
    updatedAt: text()
  },
  key: ["id"],
  references: { organization: ofOrganization },
  indexes: [["organization", "id"]]
})

/** The table of integrations. */
export const integrationsTable = Table.make("integrations", {
  columns: {
    id: text(),
    name: text(),
    organization: text(),
    version: integer(),
    runtime: text(),
    visibility: text(),
    manifest: json(),
    folded: text(),
    categories: text(),
    scopes: text(),
    blockDomains: text(),
    hasBlocks: boolean(),
    hasContentSources: boolean(),
    icon: nullable(text()),
    previewImages: json(),
    secrets: json(),
    createdAt: text(),
    updatedAt: text()
  },
  key: ["id"],
  unique: [["name"]],
  references: { organization: ofOrganization },
  indexes: [
    ["organization", "id"],
    ["visibility", "id"]
  ]
})

const ofIntegration = { table: () => integrationsTable, onRemove: "cascade" } as const

const assets = Table.make("integrationAssets", {
  columns: { integration: text(), hash: text(), kind: text(), contentType: text(), bytes: bytes() },
  key: ["integration", "hash"],
  references: { integration: ofIntegration }
})

/** The table of installations. */
export const installationsTable = Table.make("installations", {
  columns: {
    id: text(),
    integration: text(),
    organization: text(),
    spaceSelection: text(),
    siteSelection: text(),
    configuration: json(),
    externalIds: text(),
    createdAt: text(),
    updatedAt: text()
  },
  key: ["id"],
  unique: [["integration", "organization"]],
  references: { integration: ofIntegration, organization: ofOrganization },
  indexes: [["integration", "id"], ["organization"]]
})

export const integrations: Migration = {
  number: 6,
  name: "integrations",
  changes: [translations, integrationsTable, assets, installationsTable].map(createTable)
}
