/** Changes of the schema, as data, in the order of their numbers. One that was released is never changed. */
import type { Table } from "@lectern/core"
import { Clock, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { createTable } from "./Definition.ts"
import type { Dialect } from "./Dialect.ts"

/** What a migration does. */
export type SchemaChange = { readonly _tag: "CreateTable"; readonly table: Table.AnyTable }

/** A numbered step of the schema. */
export interface Migration {
  /** From 1 on, without a gap. */
  readonly number: number
  readonly name: string
  readonly changes: ReadonlyArray<SchemaChange>
}

/** The database was written by a later version, which this one cannot read. */
export class SchemaTooNew extends Schema.TaggedError<SchemaTooNew>()("SchemaTooNew", {
  message: Schema.String
}) {}

const history = `"lecternMigrations"`

/** Tables that come with these declarations, as one migration: for the tables of a test. */
export const createTables = (tables: ReadonlyArray<Table.AnyTable>): ReadonlyArray<Migration> => [
  { number: 1, name: "create tables", changes: tables.map((table) => ({ _tag: "CreateTable", table })) }
]

/**
 * Brings the schema up to date, as one transaction under a lock, and answers the migrations that it ran: any
 * number of processes may do so at once.
 */
export const migrate = Effect.fnUntraced(function* (
  dialect: Dialect,
  migrations: ReadonlyArray<Migration>
): Effect.fn.Return<ReadonlyArray<Migration>, SqlError | SchemaTooNew, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const run = (text: string, parameters: ReadonlyArray<unknown> = []) =>
    sql.unsafe<{ readonly number: number }>(text, parameters).unprepared

  return yield* sql.withTransaction(
    Effect.gen(function* () {
      if (dialect.lockMigrations !== undefined) yield* run(dialect.lockMigrations)
      yield* run(
        `CREATE TABLE IF NOT EXISTS ${history} ("number" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "appliedAt" TEXT NOT NULL)`
      )
      const rows = yield* run(`SELECT "number" FROM ${history} ORDER BY "number"`)
      const applied = new Set(rows.map(({ number }) => Number(number)))
      const last = Math.max(0, ...applied)
      if (last > migrations.length) {
        return yield* new SchemaTooNew({
          message: `The database has schema ${last}, and this version of Lectern knows up to ${migrations.length}: run a newer one.`
        })
      }
      const open = migrations.filter(({ number }) => !applied.has(number))
      const time = new Date(yield* Clock.currentTimeMillis).toISOString()
      for (const { number, name, changes } of open) {
        for (const { table } of changes) for (const text of createTable(dialect, table)) yield* run(text)
        const [first, second, third] = [1, 2, 3].map(dialect.parameter)
        yield* run(`INSERT INTO ${history} VALUES (${first}, ${second}, ${third})`, [number, name, time])
      }
      return open
    })
  )
})
