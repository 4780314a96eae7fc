/** The tables and columns of the operations of the public contract. */
import { Table } from "@lectern/kernel"
import { createTable, type SchemaChange } from "../SchemaChange.ts"
import { organizations } from "./0001-foundation.ts"
import { sitesTable } from "./0005-sites.ts"
import { raiseVersions } from "./0031-cache-versions.ts"

const { boolean, bytes, integer, json, text } = Table

const ofOrganization = { table: () => organizations, onRemove: "cascade" } as const

const customFonts = Table.make("customFonts", {
  columns: { organization: text(), id: text(), family: text(), faces: json() },
  key: ["organization", "id"],
  references: { organization: ofOrganization }
})

const customFontFiles = Table.make("customFontFiles", {
  columns: { organization: text(), font: text(), hash: text(), size: integer(), bytes: bytes() },
  key: ["organization", "font", "hash"],
  references: { organization: ofOrganization }
})

const siteScripts = Table.make("siteScripts", {
  columns: {
    organization: text(),
    id: text(),
    site: text(),
    name: text(),
    source: json(),
    categories: json(),
    origins: json(),
    enabled: boolean()
  },
  key: ["organization", "id"],
  references: { organization: ofOrganization, site: { table: () => sitesTable, onRemove: "cascade" } },
  indexes: [["site", "id"]]
})

export const contractChanges: ReadonlyArray<SchemaChange> = [
  createTable(customFonts),
  createTable(customFontFiles),
  createTable(siteScripts),
  // Published sites are cached with the definitions of their fonts.
  raiseVersions(110, {
    table: "customFonts",
    scopes: ["organization"],
    events: ["UPDATE", "DELETE"],
    columns: ["family", "faces"]
  }),
  raiseVersions(111, {
    table: "siteScripts",
    scopes: ["site"],
    events: ["INSERT", "UPDATE", "DELETE"],
    columns: ["source", "categories", "origins", "enabled"]
  })
]
