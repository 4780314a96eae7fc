/** Adds the glossaries of organizations, the MCP servers of sites, and the visibility of OpenAPI specs. */
import { Table } from "@lectern/kernel"
import { addColumn, createTable, type SchemaChange } from "../SchemaChange.ts"
import { organizations } from "./0001-foundation.ts"
import { sitesTable } from "./0005-sites.ts"

const { json, text } = Table

const ofOrganization = { table: () => organizations, onRemove: "cascade" } as const

const glossaryEntries = Table.make("glossaryEntries", {
  columns: {
    organization: text(),
    id: text(),
    translations: json(),
    createdAt: text(),
    updatedAt: text()
  },
  key: ["organization", "id"],
  references: { organization: ofOrganization }
})

const siteMcpServers = Table.make("siteMcpServers", {
  columns: {
    organization: text(),
    id: text(),
    site: text(),
    name: text(),
    url: text(),
    transport: text(),
    headers: json()
  },
  key: ["organization", "id"],
  references: {
    organization: ofOrganization,
    site: { table: () => sitesTable, onRemove: "cascade" }
  },
  indexes: [["site", "id"]]
})

/** The changes of the schema. */
export const contractChanges: ReadonlyArray<SchemaChange> = [
  createTable(glossaryEntries),
  createTable(siteMcpServers),
  addColumn("openApiSpecs", "visibility", text(), { backfill: "private" })
]
