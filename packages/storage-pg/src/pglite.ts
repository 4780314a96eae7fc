/**
 * A store of workspaces in PGlite: PostgreSQL in WebAssembly, within the process. It has one session, so transactions
 * run one at a time, and one process can open a database.
 *
 * The entry point `@lectern/storage-pg/pglite`. `@electric-sql/pglite` is an optional peer dependency.
 */
import { type RecordsAdapter, StorageUnavailable } from "@lectern/kernel"
import {
  createsCacheVersions,
  type Dialect,
  type Migration,
  type MigrationError,
  migrationLayer,
  SqlRecords,
  migrations as workspaceMigrations
} from "@lectern/storage-sql"
import { Effect, Layer, type Scope, Semaphore, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection } from "effect/sql"
import { createDialect, type PgDialectOptions } from "./dialect.ts"
import { commit, parsers, postgresCompiler, toSqlError } from "./driver.ts"

/** The part of a `PGlite` that Lectern uses. */
export interface PGliteDatabase {
  /** Executes a statement with the parameters `$1`, `$2`, ... `parsers` parse column values, by type. */
  readonly query: (
    text: string,
    parameters: Array<unknown>,
    options: { readonly parsers: Record<number, (value: string) => unknown> }
  ) => Promise<{ readonly rows: Array<object>; readonly command?: string }>
}

/** The part of `@electric-sql/pglite` that Lectern uses. */
interface PGliteModule {
  readonly PGlite: {
    readonly create: (dataDir: string) => Promise<PGliteDatabase & { readonly close: () => Promise<void> }>
  }
}

/** Which database to use: a folder, or the open database of the host. */
export type PGliteOptions = PgDialectOptions &
  (
    | {
        /** The folder of the database, which is created if it does not exist, or `memory://`. */
        readonly dataDir: string
        readonly database?: never
      }
    | {
        /** An open `PGlite` of the host, which Lectern never closes and on which the host opens no transactions. */
        readonly database: PGliteDatabase
        readonly dataDir?: never
      }
  )

/** Options of {@link PGliteStorage.layer}. */
export type PGliteStorageConfig = PGliteOptions & {
  /** The migrations that create the tables: the migrations of the workspace by default. Tests of the store set others. */
  readonly migrations?: ReadonlyArray<Migration>
}

/**
 * Returns the dialect of PGlite: that of PostgreSQL, with one session.
 *
 * Throws a `TypeError` if `schema` is not a valid name.
 */
export const createPGliteDialect = (options: PgDialectOptions = {}): Dialect => ({
  ...createDialect(options),
  name: "pglite",
  family: "postgres",
  concurrency: 1,
  // Transactions run one at a time.
  skipLocked: undefined,
  beginReadOnly: undefined
})

/** Parsers for Lectern's statements only: the host can have replaced the parsers of its database. */
const parsersByType = Object.fromEntries(parsers)

const makeConnection = (database: PGliteDatabase): SqlConnection.Connection => {
  // A statement runs synchronously, so an interruption takes effect after it.
  const query = (text: string, parameters: ReadonlyArray<unknown>) =>
    Effect.uninterruptible(
      Effect.tryPromise({
        try: () => database.query(text, [...parameters], { parsers: parsersByType }),
        catch: (cause) => toSqlError(cause, "execute")
      })
    )
  const execute: SqlConnection.Connection["execute"] = (text, parameters, transform) =>
    Effect.map(query(text, parameters), ({ rows }) => (transform === undefined ? rows : transform(rows)))
  const executeValues: SqlConnection.Connection["executeValues"] = (text, parameters) =>
    Effect.map(query(text, parameters), ({ rows }) => rows.map((row) => Object.values(row)))
  return {
    execute,
    executeUnprepared: execute,
    executeRaw: query,
    executeValues,
    executeValuesUnprepared: executeValues,
    executeStream: (text, parameters, transform) =>
      Stream.fromIterableEffect(execute(text, parameters, transform))
  }
}

const openDatabase = (
  options: PGliteOptions
): Effect.Effect<PGliteDatabase, StorageUnavailable, Scope.Scope> => {
  const { dataDir } = options
  if (dataDir === undefined) return Effect.succeed(options.database)
  return Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        // The name is not a literal, so that the package compiles without its optional peer.
        const name: string = "@electric-sql/pglite"
        const { PGlite } = (await import(name)) as PGliteModule
        return PGlite.create(dataDir)
      },
      catch: (cause) =>
        new StorageUnavailable({
          reason: "Unreachable",
          detail: `The PGlite database ${JSON.stringify(dataDir)} cannot be opened. Check that \`@electric-sql/pglite\` is installed, and that no other process has opened the folder.`,
          cause
        })
    }),
    (database) => Effect.promise(() => database.close())
  )
}

const makeClient = Effect.fnUntraced(function* (options: PGliteOptions) {
  const database = yield* openDatabase(options)
  const connection = makeConnection(database)
  const session = yield* Semaphore.make(1)
  const acquirer = Effect.uninterruptibleMask((restore) =>
    restore(session.take(1)).pipe(
      Effect.andThen(Effect.addFinalizer(() => session.release(1))),
      Effect.as(connection)
    )
  )
  return yield* SqlClient.make({
    acquirer,
    borrower: (use) => session.withPermit(use(connection)),
    compiler: postgresCompiler,
    driver: "pglite",
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]]
  })
})

/** The store in PGlite. */
export const PGliteStorage = {
  /**
   * Returns a layer that opens the database and applies pending migrations. A string is short for `{ dataDir }`.
   *
   * Throws a `TypeError` if `schema` is not a valid name. The layer fails with
   * - `StorageUnavailable` if the database cannot be opened,
   * - `SchemaTooNew` if a later version of Lectern migrated it,
   * - `TableNameConflict` if tables of the host have names that Lectern needs.
   *
   * @example
   * PGliteStorage.layer({ database: new PGlite("./data"), schema: "lectern" })
   */
  layer: (
    config: string | PGliteStorageConfig
  ): Layer.Layer<RecordsAdapter, StorageUnavailable | MigrationError> => {
    const options: PGliteStorageConfig = typeof config === "string" ? { dataDir: config } : config
    const dialect = createPGliteDialect({ schema: options.schema })
    const migrations = options.migrations ?? workspaceMigrations
    return SqlRecords.layer(dialect, {
      supportedSchema: migrations.length,
      hasCacheVersions: createsCacheVersions(migrations)
    }).pipe(
      Layer.provideMerge(migrationLayer(dialect, migrations)),
      Layer.provide(
        Layer.effect(SqlClient.SqlClient, makeClient(options)).pipe(Layer.provide(Reactivity.layer))
      )
    )
  }
}

/**
 * Returns the store in a PGlite database, for `createWorkspace`: {@link PGliteStorage.layer} without the option
 * `migrations`, with the same errors.
 *
 * @example
 * pglite("./data")
 * pglite("memory://")
 * pglite({ database, schema: "lectern" })
 */
export const pglite = (
  options: string | PGliteOptions
): Layer.Layer<RecordsAdapter, StorageUnavailable | MigrationError> => PGliteStorage.layer(options)
