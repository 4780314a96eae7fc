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
import { DatabaseFileError } from "@lectern/storage-sql"
import { Context, Effect, Layer, type Scope, Semaphore, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, type SqlError, Statement } from "effect/sql"
import { toSqlError } from "./classify.ts"
import {
  beginTransaction,
  commitTransaction,
  connect,
  endReadTransactions,
  inMemory,
  openReadHandle,
  openWriteHandle,
  readTransactionPerTick,
  trySqlite,
  withBusyRetry
} from "./connection.ts"
import { checkIntegrity, isCheckedAtOpen, OpenFiles } from "./databaseFile.ts"
import { handleSemaphore, requireForeignKeys, sharedConnections } from "./sharedDatabase.ts"

/** Which database to use: a file, or the host's open handle. */
export type SqliteClientConfig =
  | {
      /** The path of the file, which is created with its parent folders if it does not exist, or `:memory:`. */
      readonly filename: string
      /**
       * What to do if the file is corrupt. `require`, the default, checks a file of up to 1 GiB when it is opened, fails
       * with a `SqlError` if it is corrupt, and rejects transactions after a statement reports corruption. `report` logs
       * both. `skip` does not check the file, and otherwise does what `report` does.
       */
      readonly integrityCheck?: IntegrityCheck | undefined
      readonly database?: never
    }
  | {
      /**
       * The open handle of a host, which is never closed. It must enforce foreign keys, and the host must not leave a
       * transaction open on it while it awaits.
       */
      readonly database: DatabaseSync
      readonly filename?: never
      readonly integrityCheck?: never
    }

/** What to do with a corrupt file: see {@link SqliteClientConfig}. */
export type IntegrityCheck = "require" | "report" | "skip"

/** How statements outside of transactions are executed. */
interface OutsideTransactions {
  /** The connection. Unlike the client, it does not create a span per statement. */
  readonly connection: SqlConnection.Connection
  /** The handle of transactions. */
  readonly handle: DatabaseSync
  /** See `RecordsAdapter.version`. Undefined for a connection that reads uncommitted rows, or that the host shares. */
  readonly version: (() => number | undefined) | undefined
  /** See `SqlRecordsOptions.openSnapshot`. Undefined for a database in memory, or a handle of the host. */
  readonly openSnapshot?: Effect.Effect<SqlConnection.Connection, SqlError.SqlError, Scope.Scope>
}

/** The connection for statements outside of transactions. */
export class SqliteConnection extends Context.Service<SqliteConnection, OutsideTransactions>()(
  "@lectern/storage-sqlite/SqliteConnection"
) {}

/** A client, and its connection for statements outside of transactions. */
interface OpenDatabase extends OutsideTransactions {
  readonly client: SqlClient.SqlClient
  /** Checks the structure of the database, and returns descriptions of the corruption: at most 100. */
  readonly checkIntegrity: () => ReadonlyArray<string>
}

/** Checks the structure of the database, and returns descriptions of the corruption: at most 100. */
export class SqliteIntegrity extends Context.Service<SqliteIntegrity, () => ReadonlyArray<string>>()(
  "@lectern/storage-sqlite/SqliteIntegrity"
) {}

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
  if (filename === inMemory) {
    const database = yield* openHandle(() => openWriteHandle(filename))
    const writer = withBusyRetry(connect(database, endReadTransactions))
    const semaphore = yield* Semaphore.make(1)
    return yield* makeClient(database, semaphore, writer, writer, routeStatements(writer, writer, semaphore))
  }
  const mode = config.integrityCheck ?? "require"
  yield* trySqlite("open", () => mkdirSync(dirname(filename), { recursive: true }))
  const database = yield* openHandle(() => openWriteHandle(filename))
  if (mode !== "skip") yield* requireIntegrity(filename, database, mode)
  const readHandle = yield* openHandle(() => openReadHandle(filename))
  // The first read creates the files of the write-ahead log.
  yield* trySqlite("open", () => readHandle.prepare("SELECT COUNT(*) FROM sqlite_schema").get())
  const files = new OpenFiles(filename)
  const log = Effect.runForkWith(yield* Effect.context())
  let isCorrupt = false
  const onCorruption = (cause: unknown): void => {
    if (!isCorrupt) log(Effect.logError(corruptionMessage(filename, [String(cause)])))
    isCorrupt = true
  }
  const beforeWrite = (sql: string): void => {
    if (sql === beginTransaction || sql === commitTransaction) files.verify()
    if (sql === beginTransaction && isCorrupt && mode === "require") {
      throw new DatabaseFileError("Corrupted", corruptionMessage(filename, []))
    }
    endReadTransactions()
  }
  const { begin, version } = readTransactionPerTick(readHandle, () => files.verifyOccasionally())
  const writer = withBusyRetry(connect(database, beforeWrite, onCorruption))
  const reader = connect(readHandle, begin, onCorruption)
  const semaphore = yield* Semaphore.make(1)
  const routed = routeStatements(reader, writer, semaphore)
  const openSnapshot = openSnapshotOf(filename, onCorruption)
  return { ...(yield* makeClient(database, semaphore, writer, writer, routed)), version, openSnapshot }
})

/** Opens a connection in a read transaction. Its first read determines the state that it sees. */
const openSnapshotOf = (filename: string, onCorruption: (cause: unknown) => void) =>
  Effect.gen(function* () {
    const handle = yield* openHandle(() => openReadHandle(filename))
    yield* trySqlite("open", () => {
      handle.exec("BEGIN")
      handle.prepare("SELECT COUNT(*) FROM sqlite_schema").get()
    })
    return connect(handle, () => {}, onCorruption)
  })

const corruptionMessage = (filename: string, problems: ReadonlyArray<string>): string =>
  [
    `The SQLite database ${JSON.stringify(filename)} is corrupt.`,
    ...(problems.length === 0 ? [] : [`SQLite reports: ${problems.slice(0, 3).join("; ")}.`]),
    "Stop the server, copy the file with its -wal file, and run `lectern doctor` on the copy. Restore a backup, or copy the readable rows with `lectern salvage`."
  ].join(" ")

/** Checks a file that is small enough. Fails if it is corrupt and `mode` requires integrity, and logs the corruption otherwise. */
const requireIntegrity = Effect.fnUntraced(function* (
  filename: string,
  database: DatabaseSync,
  mode: IntegrityCheck
): Effect.fn.Return<void, SqlError.SqlError> {
  if (!isCheckedAtOpen(filename)) {
    return yield* Effect.logInfo(
      `The integrity of ${filename} is not checked at start, because it is larger than 1 GiB. \`lectern doctor\` checks it.`
    )
  }
  const problems = checkIntegrity(database, "quick")
  if (problems.length === 0) return
  const message = corruptionMessage(filename, problems)
  yield* Effect.logError(message)
  if (mode === "require") {
    return yield* Effect.fail(toSqlError(new DatabaseFileError("Corrupted", message), "open"))
  }
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
  return {
    client,
    connection,
    handle: database,
    version: undefined,
    checkIntegrity: () => checkIntegrity(database, "full")
  }
})

const openHandle = (open: () => DatabaseSync) =>
  Effect.acquireRelease(trySqlite("open", open), (database) => Effect.sync(() => database.close()))

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
): Layer.Layer<SqlClient.SqlClient | SqliteConnection | SqliteIntegrity, SqlError.SqlError> =>
  Layer.effectContext(
    Effect.map(openDatabase(config), ({ client, checkIntegrity, ...outside }) =>
      Context.make(SqlClient.SqlClient, client).pipe(
        Context.add(SqliteConnection, outside),
        Context.add(SqliteIntegrity, checkIntegrity)
      )
    )
  ).pipe(Layer.provide(Reactivity.layer))
