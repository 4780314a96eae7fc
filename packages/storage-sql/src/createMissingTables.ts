/** Creates the tables of a host's own features. Migrations create the tables of Lectern. */
import { type StorageUnavailable, type Table, TableMismatch } from "@lectern/kernel"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createTableStatements } from "./Definition.ts"
import type { Dialect } from "./Dialect.ts"
import { changeSchema } from "./Migration.ts"
import { verifySchema } from "./verifySchema.ts"

/**
 * Creates the missing tables in one transaction under the lock of migrations, and compares every table with its
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
          for (const table of tables) {
            if (existing.has(table.name)) continue
            for (const text of createTableStatements(dialect, table)) yield* run(text)
          }
          const differences = yield* verifySchema(dialect, tables)
          if (differences.length > 0) return yield* TableMismatch.of(differences)
        })
      )
    })
  )
