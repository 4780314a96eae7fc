/** The tables and columns of the operations of the public contract. */
import { Table } from "@lectern/kernel"
import {
  addColumn,
  addIndex,
  addUnique,
  createTable,
  dropIndex,
  raw,
  type SchemaChange
} from "../SchemaChange.ts"
import { organizations } from "./0001-foundation.ts"
import { sitesTable } from "./0005-sites.ts"
import { raiseVersions } from "./0031-cache-versions.ts"

const { boolean, text } = Table

const siteSectionGroups = Table.make("siteSectionGroups", { columns: { id: text() }, key: ["id"] })

const siteExternalLinks = Table.make("siteExternalLinks", {
  columns: {
    organization: text(),
    id: text(),
    site: text(),
    sectionGroup: Table.nullable(text()),
    position: text(),
    title: text(),
    description: Table.nullable(text()),
    url: text(),
    icon: Table.nullable(text()),
    condition: Table.nullable(text()),
    draft: boolean()
  },
  key: ["organization", "id"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    site: { table: () => sitesTable, onRemove: "cascade" },
    sectionGroup: { table: () => siteSectionGroups, onRemove: "restrict" }
  },
  indexes: [["site"], ["sectionGroup"]]
})

/** A redirect that has not changed since it was created. */
const setChanged = (table: (name: string) => string) => [
  `UPDATE ${table("siteRedirects")} SET "changed" = "id"`
]

export const contractChanges: ReadonlyArray<SchemaChange> = [
  addColumn("siteRedirects", "draft", boolean(), { backfill: false }),
  addColumn("siteRedirects", "captureWildcard", boolean(), { backfill: false }),
  // Readers have responded to existing redirects with the status 308.
  addColumn("siteRedirects", "permanent", boolean(), { backfill: true }),
  addColumn("siteRedirects", "changed", text(), { backfill: "" }),
  raw({ sqlite: setChanged, postgres: setChanged }),
  dropIndex("siteRedirects", ["site", "source"]),
  addUnique("siteRedirects", ["site", "source", "draft"]),
  addIndex("siteRedirects", ["site", "changed", "id"]),
  createTable(siteExternalLinks),
  // Published sites are cached with their structure.
  raiseVersions(120, {
    table: "siteExternalLinks",
    scopes: ["site"],
    events: ["INSERT", "UPDATE", "DELETE"],
    columns: ["sectionGroup", "position", "title", "description", "url", "icon", "condition", "draft"]
  })
]
