/**
 * Changes of the schema, in the order of their numbers. One that was released is never changed: a database holds
 * what it made.
 */
import { StorageUnavailable, type Table } from "@lectern/core"
import { Clock, Effect, Layer, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { detailOf } from "./classify.ts"
import type { Dialect } from "./Dialect.ts"
import { createdNames, makeTable, type SchemaChange, statementsOf } from "./SchemaChange.ts"

/** A numbered step of the schema. */
export interface Migration {
  /** From 1 on, without a gap. */
  readonly number: number
  readonly name: string
  readonly changes: ReadonlyArray<SchemaChange>
}

/** The database was written by a later version, which this one cannot read. Run that one, or a newer. */
export class SchemaTooNew extends Schema.TaggedError<SchemaTooNew>()("SchemaTooNew", {
  message: Schema.String,
  /** The number of the last migration that the database has seen. */
  database: Schema.Int,
  /** The number of the last migration that this version knows. */
  known: Schema.Int
}) {}

/**
 * The database holds tables, indexes or types with names that Lectern needs, and Lectern did not create them: they belong
 * to the host. Nothing was created or changed. The message lists the names and the option that resolves the conflict.
 */
export class TableNameConflict extends Schema.TaggedError<TableNameConflict>()("TableNameConflict", {
  message: Schema.String,
  /** The conflicting names, without the prefix. */
  names: Schema.Array(Schema.String)
}) {}

/** The table in which a database remembers its migrations. */
export const history = "lecternMigrations"

/** Why a schema cannot be brought up to date, other than that the database is unavailable. */
export type MigrationError = SchemaTooNew | TableNameConflict

/** All of these tables, as one migration. */
export const createTables = (tables: ReadonlyArray<Table.AnyTable>): ReadonlyArray<Migration> => [
  { number: 1, name: "create tables", changes: tables.map(makeTable) }
]

/** How long a process waits for others that migrate the same database, where waiting for its lock is not enough. */
const lockRetries = Schedule.spaced("100 millis").pipe(Schedule.upTo({ times: 100 }))

/** Retries a change of the schema while another process has the lock, and translates the errors of the database. */
export const changingSchema = <A, E>(
  dialect: Dialect,
  change: Effect.Effect<A, E | SqlError, SqlClient.SqlClient>
): Effect.Effect<A, E | StorageUnavailable, SqlClient.SqlClient> =>
  change.pipe(
    Effect.retry({
      schedule: lockRetries,
      while: (error) =>
        isSqlError(error) &&
        (dialect.classify(error) === "Conflict" || error.reason._tag === "LockTimeoutError")
    }),
    Effect.catchIf(isSqlError, (cause) =>
      dialect.classify(cause) === "Mistake"
        ? Effect.die(cause)
        : Effect.fail(
            new StorageUnavailable({
              reason: "Unreachable",
              detail: detailOf(cause, "The schema cannot be brought up to date."),
              cause
            })
          )
    )
  )

/**
 * Brings the schema up to date, and answers the migrations that it ran. Each is one transaction under a lock that
 * holds off other processes, so any number of them may start at once: every migration runs in one of them.
 */
export const migrate = Effect.fnUntraced(function* (
  dialect: Dialect,
  migrations: ReadonlyArray<Migration>
): Effect.fn.Return<ReadonlyArray<Migration>, StorageUnavailable | MigrationError, SqlClient.SqlClient> {
  const done: Array<Migration> = []
  for (;;) {
    const step = yield* changingSchema(dialect, nextStep(dialect, migrations, done.length === 0))
    if (step === undefined) return done
    done.push(step)
  }
})

/** Runs the first migration that the database has not seen, as one transaction. */
const nextStep = Effect.fnUntraced(function* (
  dialect: Dialect,
  migrations: ReadonlyArray<Migration>,
  isFirst: boolean
): Effect.fn.Return<Migration | undefined, SqlError | MigrationError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const run = (text: string, parameters: ReadonlyArray<unknown> = []) =>
    sql.unsafe<{ readonly last: number | null }>(text, parameters).unprepared
  const historyTable = dialect.table(history)

  return yield* sql.withTransaction(
    Effect.gen(function* () {
      if (dialect.lockMigrations !== undefined) yield* run(dialect.lockMigrations)
      // `CREATE SCHEMA IF NOT EXISTS` requires the privilege to create schemas even if the schema exists.
      if (dialect.schema !== undefined && (yield* run(dialect.schema.exists)).length === 0) {
        yield* run(dialect.schema.create)
      }
      yield* run(
        `CREATE TABLE IF NOT EXISTS ${historyTable} ("number" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "appliedAt" TEXT NOT NULL)`
      )
      const [row] = yield* run(`SELECT MAX("number") AS "last" FROM ${historyTable}`)
      const last = Number(row?.last ?? 0)
      if (last > migrations.length) {
        return yield* new SchemaTooNew({
          message: `The database has schema ${last}, and this version of Lectern knows up to ${migrations.length}: run a newer one.`,
          database: last,
          known: migrations.length
        })
      }
      const migration = migrations[last]
      if (migration === undefined) return undefined
      if (isFirst) yield* checkNames(dialect, migrations.slice(last))
      for (const change of migration.changes) {
        for (const text of statementsOf(dialect, change)) yield* run(text)
      }
      const placeholders = [1, 2, 3].map(dialect.parameter).join(", ")
      const time = new Date(yield* Clock.currentTimeMillis).toISOString()
      yield* run(`INSERT INTO ${historyTable} VALUES (${placeholders})`, [last + 1, migration.name, time])
      return migration
    })
  )
})

/** Fails if the database has names that pending migrations create: the host's own tables would fail them half-way. */
const checkNames = Effect.fnUntraced(function* (
  dialect: Dialect,
  pending: ReadonlyArray<Migration>
): Effect.fn.Return<void, SqlError | TableNameConflict, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  // SQLite compares names without regard to case, also quoted ones.
  const fold = (name: string) => (dialect.name === "sqlite" ? name.toLowerCase() : name)
  const needed = new Set(
    pending.flatMap(({ changes }) =>
      changes.flatMap((change) => createdNames(dialect, change).map((name) => fold(name)))
    )
  )
  const found = yield* sql.unsafe<{ readonly name: string; readonly kind: string }>(
    dialect.introspection.names
  ).unprepared
  const conflicts = found.filter(({ name }) => needed.has(fold(name)))
  if (conflicts.length === 0) return
  const names = conflicts.map(({ name, kind }) => `${kind} ${dialect.table(name)}`)
  return yield* new TableNameConflict({
    message: `Lectern cannot create its tables: the database already has ${names.join(", ")}, which Lectern did not create. ${dialect.nameConflictRemedy}`,
    names: conflicts.map(({ name }) => name)
  })
})

/** Brings the schema of the `SqlClient`'s database up to date while the layer is built. See {@link migrate}. */
export const migrated = (
  dialect: Dialect,
  migrations: ReadonlyArray<Migration>
): Layer.Layer<never, StorageUnavailable | MigrationError, SqlClient.SqlClient> =>
  Layer.effectDiscard(migrate(dialect, migrations))
