/** A store of workspaces in SQLite, for a single process. */
import { existsSync, statSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import { type RecordsAdapter, StorageUnavailable, type StoreStatistics } from "@lectern/kernel"
import {
  createsCacheVersions,
  DatabaseFileError,
  type Migration,
  type MigrationError,
  type MigrationStatus,
  migrationLayer,
  migrationStatusAt,
  readMigrationStatus,
  SharedDatabaseError,
  SqlRecords,
  migrations as workspaceMigrations
} from "@lectern/storage-sql"
import { Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { classifyError } from "./classify.ts"
import { inMemory } from "./connection.ts"
import { createDialect, type SqliteDialectOptions } from "./dialect.ts"
import { shareDatabase } from "./hostDatabase.ts"
import * as SqliteClient from "./SqliteClient.ts"

/** Which database to use: a file, or the host's open handle. */
export type SqliteOptions = SqliteDialectOptions &
  (
    | {
        /**
         * The path of the file, which is created with its parent folders if it does not exist. `:memory:` is a database
         * in memory, which is lost when the store closes.
         */
        readonly filename: string
        /**
         * What to do if the file is corrupt. `require`, the default, checks a file of up to 1 GiB when it is opened,
         * does not open a corrupt one, and rejects writes after a statement reports corruption. `report` logs both.
         * `skip` does not check the file, and otherwise does what `report` does.
         */
        readonly integrityCheck?: SqliteClient.IntegrityCheck | undefined
        readonly database?: never
      }
    | {
        /**
         * An open handle of the host, which Lectern shares and never closes. It must enforce foreign keys. The host
         * must not leave a transaction open on it while it awaits, and must write with `runExclusively`.
         */
        readonly database: DatabaseSync
        readonly filename?: never
        readonly integrityCheck?: never
      }
  )

/** Options of {@link SqliteStorage.layer}. */
export type SqliteStorageConfig = SqliteOptions & {
  /** The migrations that create the tables: the migrations of the workspace by default. Tests of the store set others. */
  readonly migrations?: ReadonlyArray<Migration>
}

/** The store in SQLite. */
export const SqliteStorage = {
  /**
   * Returns a layer that opens the database and applies pending migrations. A string is short for `{ filename }`.
   *
   * Throws a `TypeError` if `prefix` is not valid. The layer fails with
   * - `StorageUnavailable` if the file cannot be opened, or the host's handle cannot be shared,
   * - `SchemaTooNew` if a later version of Lectern migrated the database,
   * - `TableNameConflict` if tables of the host have names that Lectern needs.
   *
   * @example
   * SqliteStorage.layer({ database: new DatabaseSync("app.db"), prefix: "lectern_" })
   */
  layer: (
    config: string | SqliteStorageConfig
  ): Layer.Layer<RecordsAdapter, StorageUnavailable | MigrationError> => {
    const options: SqliteStorageConfig = typeof config === "string" ? { filename: config } : config
    const dialect = createDialect({ prefix: options.prefix })
    const migrations = options.migrations ?? workspaceMigrations
    return Layer.unwrap(
      Effect.gen(function* () {
        const { connection, handle, version, openSnapshot } = yield* SqliteClient.SqliteConnection
        const integrity = yield* SqliteClient.SqliteIntegrity
        return SqlRecords.layer(dialect, {
          executeOutsideTransaction: connection.execute,
          version,
          openSnapshot,
          hostConnection: () => shareDatabase(handle),
          supportedSchema: migrations.length,
          hasCacheVersions: createsCacheVersions(migrations),
          checkIntegrity: integrity,
          statistics: fileStatistics(options.filename)
        })
      })
    ).pipe(Layer.provideMerge(migrationLayer(dialect, migrations)), Layer.provide(clientLayer(options)))
  },

  /**
   * Reads which migrations a database needs, without changing it. A file that does not exist needs all, and is not
   * created. Fails with `StorageUnavailable` if the file cannot be opened.
   */
  migrationStatus: (config: SqliteStorageConfig): Effect.Effect<MigrationStatus, StorageUnavailable> => {
    const dialect = createDialect({ prefix: config.prefix })
    const migrations = config.migrations ?? workspaceMigrations
    return config.filename !== undefined && !existsSync(config.filename)
      ? Effect.succeed(migrationStatusAt(dialect, migrations, 0))
      : Effect.provide(readMigrationStatus(dialect, migrations), clientLayer(config))
  }
}

/** Returns the function that reads the sizes of a database file. Returns `undefined` for a database in memory, or of a host. */
const fileStatistics = (filename: string | undefined): (() => StoreStatistics) | undefined => {
  if (filename === undefined || filename === inMemory) return undefined
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return () => ({ files: { databaseBytes: sizeOf(filename), walBytes: sizeOf(`${filename}-wal`) } })
}

const clientLayer = (options: SqliteOptions) =>
  SqliteClient.layer(
    options.database === undefined
      ? { filename: options.filename, integrityCheck: options.integrityCheck }
      : { database: options.database }
  ).pipe(Layer.catchTag("SqlError", (error) => Layer.effectContext(Effect.fail(toOpenError(options, error)))))

const toOpenError = (options: SqliteOptions, error: SqlError.SqlError): StorageUnavailable => {
  const { cause } = error.reason
  const isCorrupted = classifyError(error) === "Corrupted"
  return new StorageUnavailable({
    reason: isCorrupted ? "Corrupted" : "Unreachable",
    detail:
      cause instanceof SharedDatabaseError || cause instanceof DatabaseFileError
        ? cause.message
        : options.filename === undefined
          ? "The `DatabaseSync` of the host cannot be used. Check that it is open."
          : isCorrupted
            ? `The file ${JSON.stringify(options.filename)} is not a SQLite database, or is corrupt. Restore it from a backup.`
            : `The SQLite database ${JSON.stringify(options.filename)} cannot be opened. Check the permissions of the file and its folder.`,
    cause: error
  })
}

/**
 * Returns the store in a SQLite database, for `createWorkspace`: {@link SqliteStorage.layer} without the option
 * `migrations`, with the same errors.
 *
 * @example
 * sqlite("docs.db")
 * sqlite({ filename: "app.db", prefix: "lectern_" })
 * sqlite({ database, prefix: "lectern_" })
 */
export const sqlite = (
  options: string | SqliteOptions
): Layer.Layer<RecordsAdapter, StorageUnavailable | MigrationError> => SqliteStorage.layer(options)
