/** Creates the table of files of several chunks. Released: do not change. */
import { Table } from "@lectern/core"
import type { Migration } from "../Migration.ts"
import { createTable } from "../SchemaChange.ts"

const { integer, json, text } = Table

const chunkedBlobs = Table.make("chunkedBlobs", {
  columns: { hash: text(), size: integer(), chunkSize: integer(), chunks: json(), usedAt: text() },
  key: ["hash"]
})

export const chunkedBlobsMigration: Migration = {
  number: 12,
  name: "chunked blobs",
  changes: [createTable(chunkedBlobs)]
}
