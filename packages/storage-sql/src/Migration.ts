/**
 * Runs schema migrations in the order of their numbers. A released migration never changes, since databases exist that
 * were migrated with it.
 */
import { jobs, rebuildJob, type StorageUnavailable, type Table } from "@lectern/kernel"
import { Cause, Clock, Effect, Layer, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { isUnavailableReason, toStorageUnavailable } from "./classify.ts"
import type { Dialect } from "./Dialect.ts"
import { createdNames, createTable, type SchemaChange, toStatements } from "./SchemaChange.ts"
import { quoteNames, Statement } from "./Statement.ts"

/** A numbered step of the schema, which runs in one transaction. */
export interface Migration {
  /** The position in the list of migrations: 1 for the first, without gaps. */
  readonly number: number
  /** A short name, which is stored in the migration history. */
  readonly name: string
  /** The changes to the schema, in order. */
  readonly changes: ReadonlyArray<SchemaChange>
  /** Tables that only servers of the previous version read. A later migration drops them, and backups do not have them. */
  readonly retires?: ReadonlyArray<string>
  /**
   * The names of derived data that the migration makes stale in a database with rows, such as `searchIndex`. A background
   * job rebuilds each; the feature that derives the data handles jobs of the kind `rebuildJobKind(name)`. The table of
   * jobs must exist: it was created by migration 7.
   */
  readonly makesStale?: ReadonlyArray<string>
}

/** The database was migrated by a later version of Lectern. Run that version or a newer one. */
export class SchemaTooNew extends Schema.TaggedError<SchemaTooNew>()("SchemaTooNew", {
  message: Schema.String,
  /** The number of the last migration that was applied to the database. */
  database: Schema.Int,
  /** The number of the last migration of this version of Lectern. */
  supported: Schema.Int
}) {}

/**
 * The database contains tables, indexes or types of another program with names that Lectern needs. Nothing was created
 * or changed. The message lists the names and the option that resolves the conflict.
 */
export class TableNameConflict extends Schema.TaggedError<TableNameConflict>()("TableNameConflict", {
  message: Schema.String,
  /** The conflicting names, without the prefix. */
  names: Schema.Array(Schema.String)
}) {}

/** The table that records which migrations were applied to a database. */
export const migrationHistoryTable = "lecternMigrations"

/** The errors of {@link migrate} other than `StorageUnavailable`. */
export type MigrationError = SchemaTooNew | TableNameConflict

/**
 * Returns a single migration that creates the given tables, such as the tables of the conformance tests. Each table must
 * come after the tables that it refers to.
 */
export const createTables = (tables: ReadonlyArray<Table.AnyTable>): ReadonlyArray<Migration> => [
  { number: 1, name: "create tables", changes: tables.map(createTable) }
]

/** Retries for up to 10 s while another process migrates a database whose migration lock does not wait. */
const lockRetries = Schedule.spaced("100 millis").pipe(Schedule.upTo({ times: 100 }))

/**
 * Fails with the error of a failed `ROLLBACK`, which is a defect in the cause. It fails if the connection was lost; the database then rolls
 * back without it.
 */
const failWithLostConnection = <E>(cause: Cause.Cause<E>): Effect.Effect<never, E | SqlError> => {
  for (const reason of cause.reasons) {
    if (Cause.isDieReason(reason) && isSqlError(reason.defect)) return Effect.fail(reason.defect)
  }
  return Effect.failCause(cause)
}

/** Retries a change of the schema while another process has the lock, and translates the errors of the database. */
export const changeSchema = <A, E>(
  dialect: Dialect,
  change: Effect.Effect<A, E | SqlError, SqlClient.SqlClient>
): Effect.Effect<A, E | StorageUnavailable, SqlClient.SqlClient> =>
  change.pipe(
    Effect.catchCause(failWithLostConnection),
    Effect.retry({
      schedule: lockRetries,
      while: (error) =>
        isSqlError(error) &&
        (dialect.classify(error) === "Conflict" || error.reason._tag === "LockTimeoutError")
    }),
    Effect.catchIf(isSqlError, (cause) => {
      const errorClass = dialect.classify(cause)
      if (errorClass === "Defect") return Effect.die(cause)
      return Effect.fail(
        toStorageUnavailable(
          cause,
          isUnavailableReason(errorClass) ? errorClass : "Unreachable",
          "The schema migration failed because the database did not execute a statement."
        )
      )
    })
  )

/**
 * Applies the pending migrations and returns the applied ones. Each migration runs in one transaction under a lock
 * that excludes other processes: if several processes start concurrently, each migration is applied by exactly one of
 * them.
 *
 * Fails with
 * - `SchemaTooNew` if a later version of Lectern migrated the database,
 * - `TableNameConflict` if the database contains objects of another program with names that pending migrations create,
 * - `StorageUnavailable` if the database is unreachable, or another process holds the migration lock for too long.
 */
export const migrate = Effect.fnUntraced(function* (
  dialect: Dialect,
  migrations: ReadonlyArray<Migration>
): Effect.fn.Return<ReadonlyArray<Migration>, StorageUnavailable | MigrationError, SqlClient.SqlClient> {
  const applied: Array<Migration> = []
  for (;;) {
    // A new database has no derived data that could be stale.
    const isUpgrade = applied[0] === undefined || applied[0].number > 1
    const migration = yield* changeSchema(
      dialect,
      applyNextMigration(dialect, migrations, applied.length === 0, isUpgrade)
    )
    if (migration === undefined) return applied
    applied.push(migration)
    if (isUpgrade && migration.number > 1) yield* logMigration(migration)
  }
})

const logMigration = ({ number, name, makesStale = [] }: Migration): Effect.Effect<void> =>
  Effect.logInfo(
    `Migrated the schema of the database to version ${number} (${name}).` +
      (makesStale.length === 0
        ? ""
        : ` Background jobs rebuild ${makesStale.join(", ")}; results are incomplete until they have finished.`)
  )

/** Applies the first pending migration in a transaction and returns it, or undefined if none is pending. */
const applyNextMigration = Effect.fnUntraced(function* (
  dialect: Dialect,
  migrations: ReadonlyArray<Migration>,
  isFirst: boolean,
  isUpgrade: boolean
): Effect.fn.Return<Migration | undefined, SqlError | MigrationError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const run = (text: string, parameters: ReadonlyArray<unknown> = []) =>
    sql.unsafe<{ readonly last: number | null }>(text, parameters).unprepared
  const historyTable = dialect.table(migrationHistoryTable)

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
          message: `The schema of the database has version ${last}, but this version of Lectern supports at most ${migrations.length}. Run a newer version of Lectern.`,
          database: last,
          supported: migrations.length
        })
      }
      const migration = migrations[last]
      if (migration === undefined) return undefined
      if (isFirst) yield* requireFreeNames(dialect, migrations.slice(0, last), migrations.slice(last))
      for (const change of migration.changes) {
        for (const text of toStatements(dialect, change)) yield* run(text)
      }
      const placeholders = [1, 2, 3].map(dialect.placeholder).join(", ")
      const time = new Date(yield* Clock.currentTimeMillis).toISOString()
      yield* run(`INSERT INTO ${historyTable} VALUES (${placeholders})`, [last + 1, migration.name, time])
      if (isUpgrade && last > 0) {
        for (const data of migration.makesStale ?? []) yield* run(...enqueueStatement(dialect, data, time))
      }
      return migration
    })
  )
})

/** Returns the statement that enqueues the rebuild of derived data, unless it is enqueued. */
const enqueueStatement = (
  dialect: Dialect,
  data: string,
  time: string
): readonly [text: string, parameters: ReadonlyArray<unknown>] => {
  const row: { readonly [column: string]: unknown } = { ...rebuildJob(data, time) }
  const statement = new Statement(dialect)
  const columns = Object.entries(jobs.columns)
  const values = columns.map(([name, column]) => statement.columnValue(column, row[name]))
  const names = quoteNames(columns.map(([name]) => name))
  return [
    `INSERT INTO ${dialect.table(jobs.name)} (${names}) VALUES (${values.join(", ")}) ON CONFLICT DO NOTHING`,
    statement.parameters
  ]
}

/**
 * Fails if the database contains names that pending migrations create, before a migration fails half-way. Names that
 * applied migrations created are free: a pending migration that uses one again has removed the former table.
 */
const requireFreeNames = Effect.fnUntraced(function* (
  dialect: Dialect,
  applied: ReadonlyArray<Migration>,
  pending: ReadonlyArray<Migration>
): Effect.fn.Return<void, SqlError | TableNameConflict, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const fold = (name: string) => (dialect.hasCaseInsensitiveNames ? name.toLowerCase() : name)
  const namesOf = (some: ReadonlyArray<Migration>) =>
    new Set(
      some.flatMap(({ changes }) =>
        changes.flatMap((change) => createdNames(dialect, change).map((name) => fold(name)))
      )
    )
  const own = namesOf(applied)
  const needed = new Set([...namesOf(pending)].filter((name) => !own.has(name)))
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

/**
 * A layer that applies the pending migrations to the `SqlClient`'s database while it is built, as {@link migrate} does.
 */
export const migrationLayer = (
  dialect: Dialect,
  migrations: ReadonlyArray<Migration>
): Layer.Layer<never, StorageUnavailable | MigrationError, SqlClient.SqlClient> =>
  Layer.effectDiscard(migrate(dialect, migrations))
