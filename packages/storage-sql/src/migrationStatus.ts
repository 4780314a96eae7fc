/** Reads which migrations a database needs, without changing it. */
import { rebuiltDataOf, type StorageUnavailable } from "@lectern/kernel"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Dialect } from "./Dialect.ts"
import { changeSchema, type Migration, migrationHistoryTable } from "./Migration.ts"
import { toStatements } from "./SchemaChange.ts"

/** A pending migration. */
export interface PendingMigration {
  /** The number of the migration. */
  readonly number: number
  /** A short name. */
  readonly name: string
  /** The names of derived data that background jobs rebuild after it. */
  readonly makesStale: ReadonlyArray<string>
  /** The statements that it executes. */
  readonly statements: ReadonlyArray<string>
}

/** The state of the schema of a database. */
export interface MigrationStatus {
  /** The number of the last migration that was applied; 0 for an empty database. */
  readonly version: number
  /** The number of the last migration of this version of Lectern. */
  readonly supported: number
  /** The migrations that are applied at the next start. */
  readonly pending: ReadonlyArray<PendingMigration>
  /** The names of derived data that waiting background jobs rebuild. */
  readonly rebuilding: ReadonlyArray<string>
}

/** Returns the status of a database at a version of the schema. */
export const migrationStatusAt = (
  dialect: Dialect,
  migrations: ReadonlyArray<Migration>,
  version: number,
  rebuilding: ReadonlyArray<string> = []
): MigrationStatus => ({
  version,
  supported: migrations.length,
  pending: migrations.slice(version).map(({ number, name, changes, makesStale = [] }) => ({
    number,
    name,
    // A new database has no derived data that could be stale.
    makesStale: version === 0 ? [] : makesStale,
    statements: changes.flatMap((change) => toStatements(dialect, change))
  })),
  rebuilding
})

type Row = { readonly [column: string]: unknown }

/** Reads the status of the `SqlClient`'s database. Fails with `StorageUnavailable` if the database is unreachable. */
export const readMigrationStatus = Effect.fnUntraced(function* (
  dialect: Dialect,
  migrations: ReadonlyArray<Migration>
): Effect.fn.Return<MigrationStatus, StorageUnavailable, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const read = (text: string) =>
    changeSchema<ReadonlyArray<Row>, never>(dialect, sql.unsafe<Row>(text).unprepared)
  const names = (yield* read(dialect.introspection.names)).map(({ name }) => String(name).toLowerCase())
  const has = (table: string) => names.includes(table.toLowerCase())
  const [row] = has(migrationHistoryTable)
    ? yield* read(`SELECT MAX("number") AS "last" FROM ${dialect.table(migrationHistoryTable)}`)
    : []
  const jobs = has("jobs") ? yield* read(`SELECT "kind" FROM ${dialect.table("jobs")}`) : []
  const rebuilding = jobs.flatMap(({ kind }) => rebuiltDataOf(String(kind)) ?? [])
  return migrationStatusAt(dialect, migrations, Number(row?.last ?? 0), rebuilding)
})
