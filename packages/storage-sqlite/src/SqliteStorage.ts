/** A store of workspaces in SQLite, for a single process. */
import type { DatabaseSync } from "node:sqlite"
import { type RecordsAdapter, StorageUnavailable } from "@lectern/core"
import {
  type Migration,
  type MigrationError,
  migrationLayer,
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
        /**
         * The path of the file, which is created with its parent folders if it does not exist. `:memory:` is a database
         * in memory, which is lost when the store closes.
         */
        readonly filename: string
        readonly database?: never
      }
    | {
        /**
         * An open handle of the host, which Lectern shares and never closes. It must enforce foreign keys. The host
         * must not leave a transaction open on it while it awaits, and must write with `runExclusively`.
         */
        readonly database: DatabaseSync
        readonly filename?: never
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
    return Layer.unwrap(
      Effect.map(SqliteClient.SqliteConnection, ({ connection, version }) =>
        SqlRecords.layer(dialect, { executeOutsideTransaction: connection.execute, version })
      )
    ).pipe(
      Layer.provideMerge(migrationLayer(dialect, options.migrations ?? workspaceMigrations)),
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
                : options.filename === undefined
                  ? "The `DatabaseSync` of the host cannot be used. Check that it is open."
                  : `The SQLite database ${JSON.stringify(options.filename)} cannot be opened. Check that it is a SQLite file, and the permissions of the file and its folder.`,
            cause: error
          })
        )
      )
    )
  )

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
