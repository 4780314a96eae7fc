/** The tables and columns in which the authorization of programs of others stores their rows. */
import { Table } from "@lectern/kernel"
import { addColumn, createTable, type SchemaChange } from "../SchemaChange.ts"

const { json, nullable, text } = Table

const oauthRecords = Table.make("oauthRecords", {
  columns: {
    kind: text(),
    digest: text(),
    grant: nullable(text()),
    userCode: nullable(text()),
    payload: json(),
    createdAt: text(),
    consumedAt: nullable(text()),
    expiresAt: text()
  },
  key: ["kind", "digest"],
  indexes: [["grant"], ["userCode"], ["expiresAt"]]
})

export const programChanges: ReadonlyArray<SchemaChange> = [
  createTable(oauthRecords),
  addColumn("apiTokens", "program", nullable(text()))
]
