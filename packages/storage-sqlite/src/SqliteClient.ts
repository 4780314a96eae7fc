/**
 * A `SqlClient` over the SQLite that is built into Node.
 *
 * A file has one connection for writes and one for reads. In SQLite's write-ahead logging mode, reads see the last
 * commit and do not wait for an open transaction. More read connections would not help: `node:sqlite` is synchronous,
 * so a process never runs two statements concurrently. A database in memory has one connection for both, and reads wait
 * while a transaction is open.
 */
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { Context, Effect, Layer, type Scope, Semaphore, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, type SqlError, Statement } from "effect/sql"
import {
  beginTransaction,
  connect,
  endReadTransactions,
  openReadHandle,
  openWriteHandle,
  readTransactionPerTick,
  trySqlite,
  withBusyRetry
} from "./connection.ts"
import { handleSemaphore, requireForeignKeys, sharedConnections } from "./sharedDatabase.ts"

/** Which database to use: a file, or the host's open handle. */
export type SqliteClientConfig =
  | {
      /** The path of the file, which is created with its parent folders if it does not exist, or `:memory:`. */
      readonly filename: string
      readonly database?: never
    }
  | {
      /**
       * The open handle of a host, which is never closed. It must enforce foreign keys, and the host must not leave a
       * transaction open on it while it awaits.
       */
      readonly database: DatabaseSync
      readonly filename?: never
    }

const inMemory = ":memory:"

/** How statements outside of transactions are executed. */
interface OutsideTransactions {
  /** The connection. Unlike the client, it does not create a span per statement. */
  readonly connection: SqlConnection.Connection
  /** See `RecordsAdapter.version`. Undefined for a connection that reads uncommitted rows, or that the host shares. */
  readonly version: (() => number | undefined) | undefined
}

/** The connection for statements outside of transactions. */
export class SqliteConnection extends Context.Service<SqliteConnection, OutsideTransactions>()(
  "@lectern/storage-sqlite/SqliteConnection"
) {}

/** A client, and its connection for statements outside of transactions. */
interface OpenDatabase extends OutsideTransactions {
  readonly client: SqlClient.SqlClient
}

/**
 * Opens a database. A file is closed when the scope closes; a host's handle is not.
 *
 * Fails with a `SqlError` if the file cannot be opened, or the host's handle has a transaction open or does not enforce
 * foreign keys.
 */
export const openDatabase = Effect.fnUntraced(function* (
  config: SqliteClientConfig
): Effect.fn.Return<OpenDatabase, SqlError.SqlError, Scope.Scope | Reactivity.Reactivity> {
  if (config.database !== undefined) return yield* shareHandle(config.database)
  const { filename } = config
  const isFile = filename !== inMemory
  if (isFile) yield* trySqlite("open", () => mkdirSync(dirname(filename), { recursive: true }))
  const database = yield* openHandle(() => openWriteHandle(filename))
  const writer = withBusyRetry(connect(database, endReadTransactions))
  const { connection: reader, version } = isFile
    ? yield* openReadConnection(filename)
    : { connection: writer, version: undefined }
  const semaphore = yield* Semaphore.make(1)
  const routed = routeStatements(reader, writer, semaphore)
  return { ...(yield* makeClient(database, semaphore, writer, writer, routed)), version }
})

/** Returns the client of a handle that the host shares. */
const shareHandle = Effect.fnUntraced(function* (
  database: DatabaseSync
): Effect.fn.Return<OpenDatabase, SqlError.SqlError, Scope.Scope | Reactivity.Reactivity> {
  const { transactional, nonTransactional } = sharedConnections(database)
  const semaphore = handleSemaphore(database)
  yield* semaphore.withPermit(requireForeignKeys(nonTransactional))
  return yield* makeClient(
    database,
    semaphore,
    withBusyRetry(transactional),
    nonTransactional,
    routeStatements(nonTransactional, nonTransactional, semaphore)
  )
})

/**
 * Creates a client: `transactional` runs transactions, `nonTransactional` streams, `connection` all other statements.
 */
const makeClient = Effect.fnUntraced(function* (
  database: DatabaseSync,
  semaphore: Semaphore.Semaphore,
  transactional: SqlConnection.Connection,
  nonTransactional: SqlConnection.Connection,
  connection: SqlConnection.Connection
): Effect.fn.Return<OpenDatabase, never, Reactivity.Reactivity> {
  const acquirers = SqlClient.makeSqliteAcquirers({
    connection: Effect.succeed(transactional),
    semaphore,
    isTransaction: () => database.isTransaction
  })
  const client = yield* SqlClient.make({
    ...acquirers,
    acquirer: Effect.as(acquirers.acquirer, nonTransactional),
    borrower: (use) => use(connection),
    compiler: Statement.makeCompilerSqlite(),
    driver: "sqlite-node",
    beginTransaction,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    prepareTransactionControls: true,
    spanAttributes: [["db.system.name", "sqlite"]]
  })
  return { client, connection, version: undefined }
})

const openHandle = (open: () => DatabaseSync) =>
  Effect.acquireRelease(trySqlite("open", open), (database) => Effect.sync(() => database.close()))

const openReadConnection = (filename: string) =>
  Effect.map(
    openHandle(() => openReadHandle(filename)),
    (database) => {
      const transactions = readTransactionPerTick(database)
      return { connection: connect(database, transactions.begin), version: transactions.version }
    }
  )

/** Routes `SELECT` statements to the reader, and others to the writer as soon as no transaction is open on it. */
const routeStatements = (
  reader: SqlConnection.Connection,
  writer: SqlConnection.Connection,
  semaphore: Semaphore.Semaphore
): SqlConnection.Connection => {
  const isRead = (sql: string) => reader !== writer && sql.startsWith("SELECT")
  const run =
    <Rest extends ReadonlyArray<unknown>, A>(
      method: (
        connection: SqlConnection.Connection
      ) => (sql: string, ...rest: Rest) => Effect.Effect<A, SqlError.SqlError>
    ) =>
    (sql: string, ...rest: Rest) =>
      isRead(sql) ? method(reader)(sql, ...rest) : semaphore.withPermit(method(writer)(sql, ...rest))
  const execute = run((connection) => connection.execute)
  return {
    execute,
    executeUnprepared: run((connection) => connection.executeUnprepared),
    executeRaw: run((connection) => connection.executeRaw),
    executeValues: run((connection) => connection.executeValues),
    executeValuesUnprepared: run((connection) => connection.executeValuesUnprepared),
    // All rows are read before the stream emits the first, so the writer is free while the stream runs.
    executeStream: (sql, parameters, transform) =>
      Stream.fromIterableEffect(execute(sql, parameters, transform))
  }
}

/**
 * The `SqlClient` of a database, and its connection for statements outside of transactions. Fails with a `SqlError` if
 * the file cannot be opened or the host's handle cannot be shared.
 *
 * @example
 * SqliteClient.layer({ filename: "docs.db" })
 */
export const layer = (
  config: SqliteClientConfig
): Layer.Layer<SqlClient.SqlClient | SqliteConnection, SqlError.SqlError> =>
  Layer.effectContext(
    Effect.map(openDatabase(config), ({ client, ...outside }) =>
      Context.make(SqlClient.SqlClient, client).pipe(Context.add(SqliteConnection, outside))
    )
  ).pipe(Layer.provide(Reactivity.layer))
