/** Adds installations on spaces and sites, the webhooks of integrations, and the tokens of installations. Released: do not change. */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { addColumn, addIndex, createTable } from "../SchemaChange.ts"
import { organizations, spaces } from "./0001-foundation.ts"
import { sitesTable } from "./0005-sites.ts"
import { installationsTable, integrationsTable } from "./0006-integrations.ts"

const { json, nullable, text } = Table

const contentInstallations = Table.make("contentInstallations", {
  columns: {
    installation: text(),
    content: text(),
    kind: text(),
    space: nullable(text()),
    site: nullable(text()),
    integration: text(),
    organization: text(),
    configuration: json(),
    externalIds: text(),
    createdAt: text(),
    updatedAt: text()
  },
  key: ["installation", "content"],
  references: {
    installation: { table: () => installationsTable, onRemove: "cascade" },
    space: { table: () => spaces, onRemove: "cascade" },
    site: { table: () => sitesTable, onRemove: "cascade" },
    integration: { table: () => integrationsTable, onRemove: "cascade" },
    organization: { table: () => organizations, onRemove: "cascade" }
  },
  indexes: [["integration", "kind"], ["installation", "kind"], ["space"], ["site"], ["organization"]]
})

export const integrationEventsMigration: Migration = {
  number: 23,
  name: "integration events",
  changes: [
    createTable(contentInstallations),
    addColumn("installations", "user", nullable(text())),
    addColumn("installations", "scopes", nullable(json())),
    addColumn("webhooks", "integration", nullable(text()), {
      reference: { table: () => integrationsTable, onRemove: "cascade" }
    }),
    addColumn("webhooks", "development", nullable(text())),
    addIndex("webhooks", ["integration", "id"]),
    addColumn("webhookDeliveries", "integration", nullable(text())),
    addIndex("webhookDeliveries", ["integration", "id"]),
    addColumn("apiTokens", "installation", nullable(text()), {
      reference: { table: () => installationsTable, onRemove: "cascade" }
    }),
    addIndex("apiTokens", ["installation", "id"])
  ]
}
