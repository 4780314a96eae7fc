/** A process that migrates the file that it is given, and says which migrations it ran. */
import { migrate, SchemaChange } from "@lectern/storage-sql"
import { dialect, SqliteClient } from "@lectern/storage-sqlite"
import { Effect } from "effect"
import { files, folders } from "../../../storage-sql/test/support/tables.ts"

const steps = [folders, files].map((table, index) => ({
  number: index + 1,
  name: table.name,
  changes: [SchemaChange.makeTable(table)]
}))

const ran = await Effect.runPromise(
  Effect.provide(migrate(dialect, steps), SqliteClient.layer({ filename: process.argv[2]! }))
)
console.log(ran.map(({ number }) => number).join(","))
