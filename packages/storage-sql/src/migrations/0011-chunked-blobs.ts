/**
 * Creates the table of files of several chunks, and removes the outlines of Markdown, which did not have the text, the
 * headings and the links of blocks. Released: do not change.
 */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { createTable, raw } from "../SchemaChange.ts"

const { integer, json, text } = Table

const chunkedBlobs = Table.make("chunkedBlobs", {
  columns: { hash: text(), size: integer(), chunkSize: integer(), chunks: json(), usedAt: text() },
  key: ["hash"]
})

const removeOutlines = (table: (name: string) => string) => [`DELETE FROM ${table("outlines")}`]

export const chunkedBlobsMigration: Migration = {
  number: 11,
  name: "chunked blobs",
  changes: [createTable(chunkedBlobs), raw({ sqlite: removeOutlines, postgres: removeOutlines })],
  makesStale: ["searchIndex"]
}
