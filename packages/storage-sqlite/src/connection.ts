/**
 * Connections over handles of `node:sqlite`, which is synchronous: a statement blocks the thread until it completes.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import { Effect, Stream } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import { isBusy, isCorruption, toSqlError } from "./classify.ts"
import { createPrivateFile } from "./databaseFile.ts"

/**
 * The maximum time to wait for another process that writes, in milliseconds. After it, the database counts as
 * unavailable, so that a caller gets an error before its own timeout.
 */
const busyTimeoutMs = 2_000

/** The delay between two attempts to begin a transaction while another process writes, in milliseconds. */
const busyRetryDelayMs = 5

/** The maximum number of prepared statements that a connection caches. */
const statementCacheSize = 500

/** The name of a database in memory. */
export const inMemory = ":memory:"

/** Begins a transaction with the write lock: a transaction that acquires it later can fail when it first writes. */
export const beginTransaction = "BEGIN IMMEDIATE"

/** Runs a function that can throw an error of `node:sqlite`, or of the file system before a file is opened. */
export const trySqlite = <A>(
  operation: "open" | "execute",
  body: () => A
): Effect.Effect<A, SqlError.SqlError> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(body())
    } catch (cause) {
      return Effect.fail(toSqlError(cause, operation))
    }
  })

/** Opens a read-write handle, and creates the file if it does not exist: only its owner can access it then. */
export const openWriteHandle = (filename: string): DatabaseSync => {
  if (filename !== inMemory) createPrivateFile(filename)
  const database = new DatabaseSync(filename, {
    timeout: busyTimeoutMs,
    enableForeignKeyConstraints: true
  })
  // With FULL, a commit waits for the disk and survives a power failure, not only a crash of the process.
  // SQLite's own busy timeout would block the thread; `withBusyRetry` waits without blocking it.
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 0")
  return database
}

/** The statement that commits a transaction. */
export const commitTransaction = "COMMIT"

/** Opens a read-only handle of an existing file. */
export const openReadHandle = (filename: string): DatabaseSync =>
  new DatabaseSync(filename, { readOnly: true, timeout: busyTimeoutMs })

/** Functions that end the open read transactions of this process, of all files. */
const openReadTransactions = new Set<() => void>()

/** Ends all open read transactions. Called before a write, so that reads after the write see it. */
export const endReadTransactions = (): void => {
  for (const end of openReadTransactions) end()
}

/** The read transactions of a connection. */
export interface ReadTransactions {
  /** Opens a read transaction for the rest of the tick, unless one is open. Called before each read. */
  readonly begin: () => void
  /** Identifies the state that the reads of the tick see, or undefined if the database cannot be read. */
  readonly version: () => number | undefined
}

/**
 * How long reads of a tick share a transaction, in milliseconds. A tick that computes for long would otherwise start requests
 * in the state before it, although another process has since committed and responded.
 */
const maximumReadTransactionMs = 1

/**
 * Opens a read transaction for the rest of the current tick of the event loop, and for at most 1 ms: SQLite then acquires its
 * locks once for all reads of the tick. Reads still see every write of this process, since a write ends the read transaction.
 * They see a commit of another process at most 1 ms later. `verify` runs before each read, and throws if the database must not
 * be read.
 */
export const readTransactionPerTick = (database: DatabaseSync, verify: () => void): ReadTransactions => {
  const beginStatement = database.prepare("BEGIN")
  const commit = database.prepare(commitTransaction)
  // It changes with the commits of all other connections, in this process and in others. This one never writes.
  const dataVersion = database.prepare("PRAGMA data_version")
  dataVersion.setReturnArrays(true)
  let openedAt = 0
  let current: number | undefined
  const end = () => {
    current = undefined
    if (!openReadTransactions.delete(end) || !database.isOpen) return
    try {
      commit.run()
    } catch {
      // A statement on a corrupt page makes `COMMIT` fail, too. The statement has reported it.
      if (database.isTransaction) database.exec("ROLLBACK")
    }
  }
  const begin = () => {
    verify()
    const time = performance.now()
    if (openReadTransactions.has(end)) {
      if (time - openedAt <= maximumReadTransactionMs) return
      end()
    } else {
      setImmediate(end)
    }
    beginStatement.run()
    openReadTransactions.add(end)
    openedAt = time
  }
  const version = () => {
    try {
      begin()
      if (current !== undefined) return current
      const [row] = dataVersion.all() as unknown as ReadonlyArray<readonly [number]>
      current = row![0]
      return current
    } catch {
      // The read that follows fails with the same error, and reports it.
      return undefined
    }
  }
  return { begin, version }
}

type Row = Record<string, unknown>
type Rows = ReadonlyArray<Row>
type Values = ReadonlyArray<unknown>

/** A prepared statement, and the function that converts its rows from arrays to objects. */
interface Prepared {
  readonly statement: StatementSync
  readonly toRow: (values: Values) => Row
}

/**
 * Prepares a statement that returns rows as arrays, and generates a function that converts them to objects with an
 * object literal of its columns. That takes about half of the time that `node:sqlite` takes to create the objects.
 */
const prepare = (database: DatabaseSync, sql: string): Prepared => {
  const statement = database.prepare(sql)
  // A host can open its handle with other defaults.
  statement.setReadBigInts(false)
  const fields = statement.columns().map(({ name }, index) => `${JSON.stringify(name)}: values[${index}]`)
  statement.setReturnArrays(true)
  return { statement, toRow: new Function("values", `return { ${fields.join(", ")} }`) as Prepared["toRow"] }
}

/**
 * Returns a connection over a handle, which caches prepared statements. It calls `before` before each statement, and
 * `onCorruption` with each error that reports corruption of the file.
 */
export const connect = (
  database: DatabaseSync,
  before: (sql: string) => void,
  onCorruption: (cause: unknown) => void = () => {}
): SqlConnection.Connection => {
  const statements = new Map<string, Prepared>()
  const tryStatement = (body: () => Rows): Effect.Effect<Rows, SqlError.SqlError> =>
    trySqlite("execute", () => {
      try {
        return body()
      } catch (cause) {
        if (isCorruption(cause)) onCorruption(cause)
        throw cause
      }
    })
  const prepareCached = (sql: string): Prepared => {
    const cached = statements.get(sql)
    if (cached !== undefined) return cached
    // The code has fewer distinct statements than this, so the cache does not need an eviction policy.
    if (statements.size >= statementCacheSize) statements.clear()
    const statement = prepare(database, sql)
    statements.set(sql, statement)
    return statement
  }
  const readRows = (
    sql: string,
    { statement, toRow }: Prepared,
    parameters: ReadonlyArray<unknown>
  ): Rows => {
    before(sql)
    const rows = statement.all(...(parameters as ReadonlyArray<SQLInputValue>)) as unknown as Array<Values>
    return rows.map(toRow)
  }
  const execute = (sql: string, parameters: ReadonlyArray<unknown>) =>
    tryStatement(() => readRows(sql, prepareCached(sql), parameters))
  const executeUnprepared = (sql: string, parameters: ReadonlyArray<unknown>) =>
    tryStatement(() => readRows(sql, prepare(database, sql), parameters))
  return {
    execute: (sql, parameters, transform) => transformed(execute(sql, parameters), transform),
    executeUnprepared: (sql, parameters, transform) =>
      transformed(executeUnprepared(sql, parameters), transform),
    executeRaw: execute,
    executeValues: (sql, parameters) => valuesOf(execute(sql, parameters)),
    executeValuesUnprepared: (sql, parameters) => valuesOf(executeUnprepared(sql, parameters)),
    executeStream: (sql, parameters, transform) =>
      Stream.fromIterableEffect(transformed(execute(sql, parameters), transform))
  }
}

const valuesOf = (rows: Effect.Effect<Rows, SqlError.SqlError>) =>
  Effect.map(rows, (all) => all.map((row) => Object.values(row)))

const transformed = (
  rows: Effect.Effect<Rows, SqlError.SqlError>,
  transform: (<A extends object>(rows: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined
) => (transform === undefined ? rows : Effect.map(rows, transform))

/**
 * Retries to begin a transaction while another process writes, without blocking the event loop, for up to
 * {@link busyTimeoutMs}. Waiting transactions of this process share one timeout, which starts when the first of them
 * finds the database busy: otherwise each would wait for the full timeout after the one before it failed.
 */
export const withBusyRetry = (connection: SqlConnection.Connection): SqlConnection.Connection => {
  let busySince: number | undefined
  let lastBusyAt = 0
  const isTimeoutExceeded = (): boolean => {
    const now = performance.now()
    // After a period without attempts, the database can have been free in between.
    if (busySince === undefined || now - lastBusyAt > busyTimeoutMs) busySince = now
    lastBusyAt = now
    return now - busySince >= busyTimeoutMs
  }
  type Begin = ReturnType<typeof connection.execute>
  const retryWhileBusy = (begin: Begin): Begin =>
    Effect.catchIf(
      begin,
      (error) => isBusy(error) && !isTimeoutExceeded(),
      () => Effect.andThen(retryDelay, retryAndResetTimeout(begin))
    )
  const retryAndResetTimeout = (begin: Begin): Begin =>
    Effect.tap(retryWhileBusy(begin), () =>
      Effect.sync(() => {
        busySince = undefined
      })
    )
  return {
    ...connection,
    execute: (sql, parameters, transform) => {
      const result = connection.execute(sql, parameters, transform)
      if (sql !== beginTransaction) return result
      return Effect.suspend(() =>
        busySince === undefined ? retryWhileBusy(result) : retryAndResetTimeout(result)
      )
    }
  }
}

/** Sleeps by the system's timer, not by Effect's `Clock`: another process does not wait for the clock of a test. */
const retryDelay = Effect.callback<void>((resume) => {
  const timer = setTimeout(() => resume(Effect.void), busyRetryDelayMs)
  return Effect.sync(() => clearTimeout(timer))
})
