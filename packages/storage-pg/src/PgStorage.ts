/** A store of workspaces in PostgreSQL, which any number of processes can share. */
import { RecordsAdapter, StorageUnavailable } from "@lectern/kernel"
import {
  createsCacheVersions,
  type Migration,
  type MigrationError,
  type MigrationStatus,
  migrationLayer,
  readMigrationStatus,
  SqlRecords,
  migrations as workspaceMigrations
} from "@lectern/storage-sql"
import { Effect, Layer, Redacted } from "effect"
import type { SqlError } from "effect/sql"
import { classifyError } from "./classify.ts"
import { IncompatiblePooler } from "./detectPooler.ts"
import { createDialect, type PgDialectOptions } from "./dialect.ts"
import { hostPoolLayer, joinHostTransaction, shareWithHost } from "./HostPool.ts"
import type { HostPool } from "./hostTypes.ts"
import {
  migrationLimits,
  type PgLimitOptions,
  type PgLimits,
  positiveOption,
  readLimits,
  StatementLimits
} from "./limits.ts"
import { PooledConnections, pooledClientLayer } from "./PooledClient.ts"
import { makeSignals } from "./signals.ts"

type Url = string | Redacted.Redacted<string>

/** How to connect to the database: with Lectern's own connections, or with a pool of the host. */
export type PostgresOptions = PgDialectOptions &
  PgLimitOptions & {
    /**
     * A connection string of the server itself, on which workers of background jobs listen for new jobs. By default,
     * `url`, unless a connection pooler is detected. Without it, workers poll through poolers and pools of hosts.
     */
    readonly listenUrl?: Url | undefined
  } & (
    | {
        /** The connection string, such as `postgres://user:password@host:5432/database`. */
        readonly url: Url
        /** The maximum number of open connections; 10 by default. */
        readonly maxConnections?: number | undefined
        /** The maximum number of callers that wait for a connection; 1,000 by default. More fail immediately. */
        readonly maxWaiting?: number | undefined
        /**
         * Whether statements are prepared; true by default. Poolers in transaction mode without support for prepared
         * statements require `false`, such as PgBouncer before 1.21.
         */
        readonly preparedStatements?: boolean | undefined
        readonly pool?: never
      }
    | {
        /** An existing `pg.Pool` of the host, which Lectern shares and never closes. */
        readonly pool: HostPool
        readonly url?: never
        readonly maxConnections?: never
        readonly maxWaiting?: never
        readonly preparedStatements?: never
      }
  )

/** Options of {@link PgStorage.layer}. */
export type PgStorageConfig = PostgresOptions & {
  /** The migrations that create the tables: the migrations of the workspace by default. Tests of the store set others. */
  readonly migrations?: ReadonlyArray<Migration>
}

const isUrl = (config: Url | PgStorageConfig): config is Url =>
  typeof config === "string" || Redacted.isRedacted(config)

const toRedacted = (url: Url): Redacted.Redacted<string> =>
  typeof url === "string" ? Redacted.make(url) : url

/** The store in PostgreSQL. */
export const PgStorage = {
  /**
   * Returns a layer that connects to the database and applies pending migrations. A string is short for `{ url }`. A
   * connection that is lost later is replaced when it is next needed.
   *
   * Throws a `TypeError` if `schema` is not a valid name or a limit is not a positive integer. The layer fails with
   * - `StorageUnavailable` if the database cannot be reached, or a connection pooler is incompatible,
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
    const dialect = createDialect({ schema: options.schema, lockTimeoutMs: options.lockTimeoutMs })
    const limits = readLimits(options)
    const signalsOf = (listenUrl: Url | undefined) =>
      listenUrl === undefined ? {} : { signals: makeSignals(toRedacted(listenUrl), options.schema ?? "") }
    const migrations = options.migrations ?? workspaceMigrations
    const supportedSchema = migrations.length
    const hasCacheVersions = createsCacheVersions(migrations)
    const migrated = migrationLayer(dialect, migrations).pipe(
      Layer.provide(Layer.succeed(StatementLimits, migrationLimits))
    )
    if (options.pool !== undefined) {
      return withMigrationLimits(
        SqlRecords.layer(dialect, {
          supportedSchema,
          hasCacheVersions,
          hostConnection: shareWithHost,
          joinTransaction: joinHostTransaction(limits),
          ...signalsOf(options.listenUrl)
        })
      ).pipe(Layer.provideMerge(migrated), Layer.provide(hostPoolLayer(options.pool, limits)))
    }
    const records = Effect.map(PooledConnections, ({ execute, executeTogether, isPooled, statistics }) =>
      SqlRecords.layer(dialect, {
        executeOutsideTransaction: execute,
        executeTogether,
        supportedSchema,
        hasCacheVersions,
        statistics,
        ...signalsOf(options.listenUrl ?? (isPooled ? undefined : options.url))
      })
    )
    return withMigrationLimits(Layer.unwrap(records)).pipe(
      Layer.provideMerge(migrated),
      Layer.provide(clientLayer(options, limits))
    )
  },

  /**
   * Reads which migrations a database needs, without changing it. Fails with `StorageUnavailable` if the database is
   * unreachable.
   */
  migrationStatus: (config: PgStorageConfig): Effect.Effect<MigrationStatus, StorageUnavailable> => {
    const status = readMigrationStatus(
      createDialect({ schema: config.schema }),
      config.migrations ?? workspaceMigrations
    )
    const limits = readLimits(config)
    return config.pool === undefined
      ? Effect.provide(status, clientLayer(config, limits))
      : Effect.provide(status, hostPoolLayer(config.pool, limits))
  }
}

/** Opens Lectern's own connections. */
const clientLayer = (options: Extract<PgStorageConfig, { readonly url: Url }>, limits: PgLimits) =>
  pooledClientLayer({
    ...limits,
    url: toRedacted(options.url),
    maxConnections: positiveOption("maxConnections", options.maxConnections, 10),
    maxWaiting: positiveOption("maxWaiting", options.maxWaiting, 1_000),
    preparedStatements: options.preparedStatements ?? true
  }).pipe(Layer.catchTag("SqlError", (error) => Layer.effectContext(Effect.fail(toOpenError(error)))))

/** Creates the tables of a host's features within the limits of migrations. */
const withMigrationLimits = <E, R>(records: Layer.Layer<RecordsAdapter, E, R>) =>
  Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (adapter) =>
      RecordsAdapter.of({
        ...adapter,
        createTables: (tables) =>
          Effect.provideService(adapter.createTables(tables), StatementLimits, migrationLimits)
      })
    )
  ).pipe(Layer.provide(records))

const toOpenError = (error: SqlError.SqlError): StorageUnavailable => {
  const { cause } = error.reason
  if (cause instanceof IncompatiblePooler) {
    return new StorageUnavailable({ reason: "Unreachable", detail: cause.message, cause: error })
  }
  return new StorageUnavailable({
    reason: classifyError(error) === "Overloaded" ? "Overloaded" : "Unreachable",
    detail:
      "Cannot connect to the PostgreSQL database. Check that the server is running, and the host, the user, the password and the database of `url`.",
    cause: error
  })
}

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
