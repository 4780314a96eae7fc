/** Creates the tables of a host's own features. Migrations create the tables of Lectern. */
import { type StorageUnavailable, type Table, TableMismatch } from "@lectern/kernel"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import {
  addColumnStatement,
  createIndexStatement,
  createTableStatements,
  tableIndexes
} from "./Definition.ts"
import type { Dialect } from "./Dialect.ts"
import { changeSchema } from "./Migration.ts"
import { verifySchema } from "./verifySchema.ts"

/** Returns the statements that add the columns with a `backfill` and the indexes which an existing table lacks. */
const additionsTo = (
  dialect: Dialect,
  table: Table.AnyTable,
  existing: { readonly columns: ReadonlySet<string>; readonly indexes: ReadonlySet<string> }
): ReadonlyArray<string> => [
  ...Object.entries(table.backfill ?? {}).flatMap(([name, backfill]) =>
    existing.columns.has(name)
      ? []
      : [
          addColumnStatement(dialect, {
            table: table.name,
            name,
            column: table.columns[name]!,
            backfill,
            reference: table.references[name]
          })
        ]
  ),
  ...tableIndexes(table).flatMap((index) =>
    index.unique || existing.indexes.has(index.columns.join(","))
      ? []
      : [createIndexStatement(dialect, index)]
  )
]

/** The columns and the indexes of the tables of a database. */
const readTables = Effect.fnUntraced(function* ({ introspection }: Dialect) {
  const sql = yield* SqlClient.SqlClient
  const columns = yield* sql.unsafe<{ readonly table: string; readonly name: string }>(introspection.columns)
    .unprepared
  const indexes = yield* sql.unsafe<{
    readonly table: string
    readonly kind: string
    readonly columns: string
  }>(introspection.indexes).unprepared
  return (table: string) => ({
    columns: new Set(columns.filter((row) => row.table === table).map(({ name }) => name)),
    indexes: new Set(
      indexes.filter((row) => row.table === table && row.kind === "index").map((row) => row.columns)
    )
  })
})

/**
 * Creates the missing tables, columns and indexes in one transaction under the lock of migrations, and compares every table with its
 * declaration. See `RecordsAdapter.createTables`.
 */
export const createMissingTables = (
  dialect: Dialect,
  tables: ReadonlyArray<Table.AnyTable>
): Effect.Effect<void, StorageUnavailable | TableMismatch, SqlClient.SqlClient> =>
  changeSchema(
    dialect,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = (text: string) => sql.unsafe<{ readonly name: string }>(text).unprepared
      yield* sql.withTransaction(
        Effect.gen(function* () {
          if (dialect.lockMigrations !== undefined) yield* run(dialect.lockMigrations)
          const existing = new Set((yield* run(dialect.introspection.names)).map(({ name }) => name))
          const existingOf = yield* readTables(dialect)
          for (const table of tables) {
            const statements = existing.has(table.name)
              ? additionsTo(dialect, table, existingOf(table.name))
              : createTableStatements(dialect, table)
            for (const text of statements) yield* run(text)
          }
          const differences = yield* verifySchema(dialect, tables)
          if (differences.length > 0) return yield* TableMismatch.of(differences)
        })
      )
    })
  )
