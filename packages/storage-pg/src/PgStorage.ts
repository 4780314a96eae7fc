/** The store of a workspace in PostgreSQL: any number of processes over one database. */
import { PgClient } from "@effect/sql-pg"
import { type RecordsAdapter, StorageUnavailable } from "@lectern/core"
import {
  type Migration,
  type MigrationError,
  migrated,
  SqlRecords,
  migrations as workspaceMigrations
} from "@lectern/storage-sql"
import { Effect, Layer, Redacted } from "effect"
import { createDialect, type PgDialectOptions } from "./dialect.ts"
import { type HostPool, hostPoolLayer } from "./HostPool.ts"

/** How Lectern reaches the database: with connections of its own, or through a pool of the host. */
export type PostgresOptions = PgDialectOptions &
  (
    | {
        /** The address, as in `postgres://user:password@host:5432/database`. */
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

/** How a store is opened. */
export type PgStorageConfig = PostgresOptions & {
  /** What creates the tables: the workspace's migrations by default. Others are for tests of the store itself. */
  readonly migrations?: ReadonlyArray<Migration>
}

/** How many prepared statements a connection caches: more than the workspace has. */
const preparedStatementCacheSize = 500

type Url = string | Redacted.Redacted<string>

const isUrl = (config: Url | PgStorageConfig): config is Url =>
  typeof config === "string" || Redacted.isRedacted(config)

/** The layers of the store in PostgreSQL. */
export const PgStorage = {
  /**
   * Connects to the database and brings its schema up to date. A connection that is lost later is replaced when it is
   * needed.
   *
   * Throws a `TypeError` if `schema` is not a valid name. The layer fails with
   * - `StorageUnavailable` if the database cannot be reached,
   * - `SchemaTooNew` if a later version of Lectern wrote it,
   * - `TableNameConflict` if tables of the host have names that Lectern's tables need.
   *
   * @example
   * PgStorage.layer({ pool: new pg.Pool({ connectionString }), schema: "lectern" })
   */
  layer: (
    config: Url | PgStorageConfig
  ): Layer.Layer<RecordsAdapter, StorageUnavailable | MigrationError> => {
    const options: PgStorageConfig = isUrl(config) ? { url: config } : config
    const dialect = createDialect({ schema: options.schema })
    return SqlRecords.layer(dialect).pipe(
      Layer.provideMerge(migrated(dialect, options.migrations ?? workspaceMigrations)),
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
            detail: "The PostgreSQL database cannot be reached.",
            cause
          })
        )
      )
    )
  )

/**
 * The store in a PostgreSQL database, for `createWorkspace`. See {@link PgStorage.layer} for its errors.
 *
 * @example
 * postgres("postgres://user:password@host:5432/docs")
 * postgres({ url, maxConnections: 20, schema: "lectern" })
 * postgres({ pool, schema: "lectern" })
 */
export const postgres = (
  options: Url | PostgresOptions
): Layer.Layer<RecordsAdapter, StorageUnavailable | MigrationError> => PgStorage.layer(options)
