/**
 * Adds stored archives of exports, the lifetimes of renewable tokens, and customizations of site-spaces. Released: do not
 * change.
 */
import { Table } from "@lectern/core"
import type { Migration } from "../Migration.ts"
import { addColumn, createTable } from "../SchemaChange.ts"
import { organizations } from "./0001-foundation.ts"
import { siteSpaces } from "./0005-sites.ts"

const { integer, json, nullable, text } = Table

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

/** Its number is its position in the list of migrations. */
export const exportsRenewalsAndCustomizationsMigration: Migration = {
  number: 33,
  name: "exports, renewals and customizations",
  changes: [
    createTable(exportArchives),
    createTable(siteSpaceCustomizations),
    addColumn("apiTokens", "renewalMillis", nullable(integer()))
  ]
}
