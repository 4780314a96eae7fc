/** The tables and columns of the operations of the public contract. */
import { Table } from "@lectern/kernel"
import { addColumn, addIndex, addUnique, dropIndex, raw, type SchemaChange } from "../SchemaChange.ts"

const { boolean, text } = Table

/** A redirect that has not changed since it was created. */
const setChanged = (table: (name: string) => string) => [`UPDATE ${table("siteRedirects")} SET "changed" = "id"`]

export const contractChanges: ReadonlyArray<SchemaChange> = [
  addColumn("siteRedirects", "draft", boolean(), { backfill: false }),
  addColumn("siteRedirects", "captureWildcard", boolean(), { backfill: false }),
  // Readers have responded to existing redirects with the status 308.
  addColumn("siteRedirects", "permanent", boolean(), { backfill: true }),
  addColumn("siteRedirects", "changed", text(), { backfill: "" }),
  raw({ sqlite: setChanged, postgres: setChanged }),
  dropIndex("siteRedirects", ["site", "source"]),
  addUnique("siteRedirects", ["site", "source", "draft"]),
  addIndex("siteRedirects", ["site", "changed", "id"])
]
