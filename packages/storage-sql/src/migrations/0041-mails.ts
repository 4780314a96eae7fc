/** Adds the mails of the last hour. Released: do not change. */
import { Table } from "@lectern/core"
import type { Migration } from "../Migration.ts"
import { createTable } from "../SchemaChange.ts"

const { nullable, text } = Table

const mails = Table.make("mails", {
  columns: { id: text(), recipient: text(), address: nullable(text()), createdAt: text() },
  key: ["id"],
  references: {},
  indexes: [["recipient", "createdAt"], ["address", "createdAt"], ["createdAt"]]
})

/** Its number is its position in the list of migrations. */
export const mailsMigration: Migration = { number: 28, name: "mails", changes: [createTable(mails)] }
