/** A process that migrates the file of its argument, and prints the numbers of the migrations that it applied. */
import { migrate, SchemaChange } from "@lectern/storage-sql"
import { dialect, SqliteClient } from "@lectern/storage-sqlite"
import { Effect } from "effect"
import { files, folders } from "../../../storage-sql/test/support/tables.ts"

const migrations = [folders, files].map((table, index) => ({
  number: index + 1,
  name: table.name,
  changes: [SchemaChange.createTable(table)]
}))

const applied = await Effect.runPromise(
  Effect.provide(migrate(dialect, migrations), SqliteClient.layer({ filename: process.argv[2]! }))
)
console.log(applied.map(({ number }) => number).join(","))
