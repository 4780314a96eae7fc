/** A store of workspaces in PostgreSQL, which any number of processes can share. */
import { PgClient } from "@effect/sql-pg"
import { type RecordsAdapter, StorageUnavailable } from "@lectern/core"
import {
  type Migration,
  type MigrationError,
  migrationLayer,
  SqlRecords,
  migrations as workspaceMigrations
} from "@lectern/storage-sql"
import { Effect, Layer, Redacted } from "effect"
import { createDialect, type PgDialectOptions } from "./dialect.ts"
import { type HostPool, hostPoolLayer } from "./HostPool.ts"

/** How to connect to the database: with Lectern's own connections, or with a pool of the host. */
export type PostgresOptions = PgDialectOptions &
  (
    | {
        /** The connection string, such as `postgres://user:password@host:5432/database`. */
        readonly url: string | Redacted.Redacted<string>
        /** The maximum number of open connections; 10 by default. */
        readonly maxConnections?: number
        readonly pool?: never
      }
    | {
        /** An existing `pg.Pool` of the host, which Lectern shares and never closes. */
        readonly pool: HostPool
        readonly url?: never
        readonly maxConnections?: never
      }
  )

/** Options of {@link PgStorage.layer}. */
export type PgStorageConfig = PostgresOptions & {
  /** The migrations that create the tables: the migrations of the workspace by default. Tests of the store set others. */
  readonly migrations?: ReadonlyArray<Migration>
}

/** The number of prepared statements that a connection caches, which is more than the workspace has. */
const preparedStatementCacheSize = 500

type Url = string | Redacted.Redacted<string>

const isUrl = (config: Url | PgStorageConfig): config is Url =>
  typeof config === "string" || Redacted.isRedacted(config)

/** The store in PostgreSQL. */
export const PgStorage = {
  /**
   * Returns a layer that connects to the database and applies pending migrations. A string is short for `{ url }`. A
   * connection that is lost later is replaced when it is next needed.
   *
   * Throws a `TypeError` if `schema` is not a valid name. The layer fails with
   * - `StorageUnavailable` if the database cannot be reached,
   * - `SchemaTooNew` if a later version of Lectern migrated it,
   * - `TableNameConflict` if tables of the host have names that Lectern needs.
   *
   * @example
   * PgStorage.layer({ pool: new pg.Pool({ connectionString }), schema: "lectern" })
   */
  layer: (
    config: Url | PgStorageConfig
  ): Layer.Layer<RecordsAdapter, StorageUnavailable | MigrationError> => {
    const options: PgStorageConfig = isUrl(config) ? { url: config } : config
    const dialect = createDialect({ lockTimeoutMs: options.lockTimeoutMs, schema: options.schema })
    return SqlRecords.layer(dialect).pipe(
      Layer.provideMerge(migrationLayer(dialect, options.migrations ?? workspaceMigrations)),
      Layer.provide(
        options.pool === undefined
          ? ownPoolLayer(options.url, options.maxConnections ?? 10)
          : hostPoolLayer(options.pool)
      )
    )
  }
}

const ownPoolLayer = (url: Url, maxConnections: number) =>
  PgClient.layer({
    url: typeof url === "string" ? Redacted.make(url) : url,
    maxConnections,
    applicationName: "lectern",
    // Statements outside of transactions are pipelined on shared connections.
    multiplex: true,
    preparedStatementCacheSize,
    keepAlive: "30 seconds"
  }).pipe(
    Layer.catchTag("SqlError", (cause) =>
      Layer.effectContext(
        Effect.fail(
          new StorageUnavailable({
            reason: "Unreachable",
            detail:
              "Cannot connect to the PostgreSQL database. Check that the server is running, and the host, the user, the password and the database of `url`.",
            cause
          })
        )
      )
    )
  )

/**
 * Returns the store in a PostgreSQL database, for `createWorkspace`: {@link PgStorage.layer} without the option
 * `migrations`, with the same errors.
 *
 * @example
 * postgres("postgres://user:password@host:5432/docs")
 * postgres({ url, maxConnections: 20, schema: "lectern" })
 * postgres({ pool, schema: "lectern" })
 */
export const postgres = (
  options: Url | PostgresOptions
): Layer.Layer<RecordsAdapter, StorageUnavailable | MigrationError> => PgStorage.layer(options)
