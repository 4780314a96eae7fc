/** Adds the host names of sites. */
import { Table } from "@lectern/core"
import type { Migration } from "../Migration.ts"
import { addColumn, addUnique } from "../SchemaChange.ts"

export const siteHostnamesMigration: Migration = {
  number: 29,
  name: "site hostnames",
  changes: [addColumn("sites", "hostname", Table.nullable(Table.text())), addUnique("sites", ["hostname"])]
}
