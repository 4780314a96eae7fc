/** Adds the redirects of sites and the former places of pages, and finds sites by their proxies. Released: do not change. */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { addIndex, createTable } from "../SchemaChange.ts"
import { spaces } from "./0001-foundation.ts"
import { sitesTable } from "./0005-sites.ts"

const { json, text } = Table

const siteRedirects = Table.make("siteRedirects", {
  columns: { id: text(), site: text(), source: text(), destination: json() },
  key: ["id"],
  unique: [["site", "source"]],
  references: { site: { table: () => sitesTable, onRemove: "cascade" } },
  indexes: [["site", "id"]]
})

const pageMoves = Table.make("pageMoves", {
  columns: { space: text(), parent: text(), slug: text(), page: text() },
  key: ["space", "parent", "slug"],
  references: { space: { table: () => spaces, onRemove: "cascade" } }
})

export const siteRedirectsMigration: Migration = {
  number: 13,
  name: "site redirects",
  changes: [createTable(siteRedirects), createTable(pageMoves), addIndex("sites", ["proxy", "id"])]
}
