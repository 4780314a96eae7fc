/** Creates the table of PDFs. Released: do not change. */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { createTable } from "../SchemaChange.ts"

const { integer, nullable, text } = Table

const pdfs = Table.make("pdfs", {
  columns: {
    id: text(),
    state: text(),
    rendered: integer(),
    total: integer(),
    hash: nullable(text()),
    error: nullable(text()),
    expiresAt: text()
  },
  key: ["id"],
  indexes: [["expiresAt"]]
})

export const pdfsMigration: Migration = { number: 16, name: "pdfs", changes: [createTable(pdfs)] }
