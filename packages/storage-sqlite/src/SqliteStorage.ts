/** The store of a workspace in SQLite: one file, one process. */
import type { DatabaseSync } from "node:sqlite"
import { type RecordsAdapter, StorageUnavailable } from "@lectern/core"
import {
  type Migration,
  type MigrationError,
  migrated,
  SharedDatabaseError,
  SqlRecords,
  migrations as workspaceMigrations
} from "@lectern/storage-sql"
import { Effect, Layer } from "effect"
import { createDialect, type SqliteDialectOptions } from "./dialect.ts"
import * as SqliteClient from "./SqliteClient.ts"

/** Which database to use: a file, or the host's open handle. */
export type SqliteOptions = SqliteDialectOptions &
  (
    | {
        /** The file, created with the folders above it if it is missing; or `:memory:`, which ends with the process. */
        readonly filename: string
        readonly database?: never
      }
    | {
        /**
         * An open handle of the host, which Lectern shares and never closes. It must enforce foreign keys. The host must not
         * leave a transaction open on it while it awaits, and runs its own statements with `runExclusively`.
         */
        readonly database: DatabaseSync
        readonly filename?: never
      }
  )

/** How a store is opened. */
export type SqliteStorageConfig = SqliteOptions & {
  /** What creates the tables: the workspace's migrations by default. Others are for tests of the store itself. */
  readonly migrations?: ReadonlyArray<Migration>
}

/** The layers of the store in SQLite. */
export const SqliteStorage = {
  /**
   * Opens the store and brings its schema up to date.
   *
   * Throws a `TypeError` if `prefix` is not valid. The layer fails with
   * - `StorageUnavailable` if the file cannot be opened, or the host's handle cannot be shared,
   * - `SchemaTooNew` if a later version of Lectern wrote the database,
   * - `TableNameConflict` if tables of the host have names that Lectern's tables need.
   *
   * @example
   * SqliteStorage.layer({ database: new DatabaseSync("app.db"), prefix: "lectern_" })
   */
  layer: (
    config: string | SqliteStorageConfig
  ): Layer.Layer<RecordsAdapter, StorageUnavailable | MigrationError> => {
    const options: SqliteStorageConfig = typeof config === "string" ? { filename: config } : config
    const dialect = createDialect({ prefix: options.prefix })
    return Layer.unwrap(
      Effect.map(SqliteClient.SqliteConnection, (connection) => SqlRecords.layer(dialect, connection.execute))
    ).pipe(
      Layer.provideMerge(migrated(dialect, options.migrations ?? workspaceMigrations)),
      Layer.provide(clientLayer(options))
    )
  }
}

const clientLayer = (options: SqliteOptions) =>
  SqliteClient.layer(
    options.database === undefined ? { filename: options.filename } : { database: options.database }
  ).pipe(
    Layer.catchTag("SqlError", (error) =>
      Layer.effectContext(
        Effect.fail(
          new StorageUnavailable({
            reason: "Unreachable",
            detail:
              error.reason.cause instanceof SharedDatabaseError
                ? error.reason.cause.message
                : `The SQLite database ${options.filename ?? "of the host"} cannot be opened.`,
            cause: error
          })
        )
      )
    )
  )

/**
 * The store in a SQLite database, for `createWorkspace`. See {@link SqliteStorage.layer} for its errors.
 *
 * @example
 * sqlite("docs.db")
 * sqlite({ filename: "app.db", prefix: "lectern_" })
 * sqlite({ database, prefix: "lectern_" })
 */
export const sqlite = (
  options: string | SqliteOptions
): Layer.Layer<RecordsAdapter, StorageUnavailable | MigrationError> => SqliteStorage.layer(options)
