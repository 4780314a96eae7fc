/** Adds the numbers of events of sites. */
import { Table } from "@lectern/kernel"
import { createTable, type SchemaChange } from "../SchemaChange.ts"
import { organizations } from "./0001-foundation.ts"
import { sitesTable } from "./0005-sites.ts"

const { integer, text } = Table

const siteEventCounts = Table.make("siteEventCounts", {
  columns: {
    organization: text(),
    site: text(),
    day: text(),
    type: text(),
    page: text(),
    path: text(),
    count: integer()
  },
  key: ["organization", "site", "day", "type", "page"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    site: { table: () => sitesTable, onRemove: "cascade" }
  },
  indexes: [["site"], ["day"]]
})

/** The changes of the schema. */
export const siteInsightChanges: ReadonlyArray<SchemaChange> = [createTable(siteEventCounts)]
