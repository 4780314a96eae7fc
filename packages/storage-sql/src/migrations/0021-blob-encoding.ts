/** Adds how the bytes of a blob are stored. Existing blobs remain as they are. Released: do not change. */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { addColumn } from "../SchemaChange.ts"

const { nullable, text } = Table

export const blobEncodingMigration: Migration = {
  number: 21,
  name: "blob encoding",
  changes: [addColumn("blobs", "encoding", nullable(text())), addColumn("blobs", "base", nullable(text()))]
}
