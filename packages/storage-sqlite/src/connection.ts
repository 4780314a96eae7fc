/** Connections over handles of `node:sqlite`, which answers at once: a statement holds the thread until it is done. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import { Effect, Stream } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import { isBusy, toSqlError } from "./classify.ts"

/**
 * How long to wait for another process that writes, in milliseconds. Then the database is away, for the time being: a
 * caller is told so in time, and knows when to come again.
 */
const busyTimeoutMillis = 2_000

/** How long a transaction that waits for another process leaves the thread to others, in milliseconds. */
const busyPauseMillis = 5

/** How many prepared statements a connection keeps. */
const keptStatements = 500

/** How a transaction begins: as the writer from the start, so that it never has to give up half-way. */
export const beginTransaction = "BEGIN IMMEDIATE"

/** Does what may throw an error of `node:sqlite`, or of the file system before it. */
export const attempt = <A>(
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

/** Opens the handle of a writer, which makes the file where there is none. */
export const openWriter = (filename: string): DatabaseSync => {
  const database = new DatabaseSync(filename, {
    timeout: busyTimeoutMillis,
    enableForeignKeyConstraints: true
  })
  // FULL makes a commit wait for the disk: what was acknowledged survives a loss of power, not only of the process.
  // From then on SQLite need not wait for other processes, which would hold the thread: we do, between statements.
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 0")
  return database
}

/** Opens the handle of a reader, of a file that is there. */
export const openReader = (filename: string): DatabaseSync =>
  new DatabaseSync(filename, { readOnly: true, timeout: busyTimeoutMillis })

/** What ends the reading of every reader that is on one, whichever file it reads. */
const readings = new Set<() => void>()

/** Ends all reading, so that a write that follows is seen by whoever reads after it. */
export const endReading = (): void => {
  for (const end of readings) end()
}

/**
 * Keeps one read transaction open while the event loop is on one turn, so that the locks of SQLite are taken once for
 * all that is read in it. Nobody in this process can tell, for each of its writes ends the reading before it; what
 * another process commits is seen one turn later at most.
 */
export const readingByTurns = (database: DatabaseSync): (() => void) => {
  const begin = database.prepare("BEGIN")
  const commit = database.prepare("COMMIT")
  const end = () => {
    if (readings.delete(end) && database.isOpen) commit.run()
  }
  return () => {
    if (readings.has(end)) return
    begin.run()
    readings.add(end)
    setImmediate(end)
  }
}

type Row = Record<string, unknown>
type Rows = ReadonlyArray<Row>
type Values = ReadonlyArray<unknown>

/** A statement, and what makes its rows. */
interface Prepared {
  readonly statement: StatementSync
  readonly toRow: (values: Values) => Row
}

/**
 * Prepares a statement whose rows come as arrays, and are made objects by a literal that is written for its columns:
 * that takes about half of the time that `node:sqlite` takes to make objects itself.
 */
const prepare = (database: DatabaseSync, sql: string): Prepared => {
  const statement = database.prepare(sql)
  // The host's handle can have other defaults.
  statement.setReadBigInts(false)
  const fields = statement.columns().map(({ name }, index) => `${JSON.stringify(name)}: values[${index}]`)
  statement.setReturnArrays(true)
  return { statement, toRow: new Function("values", `return { ${fields.join(", ")} }`) as Prepared["toRow"] }
}

/** A connection over a handle, which caches its prepared statements. `before` is called before each is run. */
export const connect = (database: DatabaseSync, before: (sql: string) => void): SqlConnection.Connection => {
  const statements = new Map<string, Prepared>()
  const prepared = (sql: string): Prepared => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    // Statements come from a few places in the code, so this many are all: should it ever be more, begin anew.
    if (statements.size >= keptStatements) statements.clear()
    const statement = prepare(database, sql)
    statements.set(sql, statement)
    return statement
  }
  const all = (sql: string, { statement, toRow }: Prepared, parameters: ReadonlyArray<unknown>): Rows => {
    before(sql)
    const rows = statement.all(...(parameters as ReadonlyArray<SQLInputValue>)) as unknown as Array<Values>
    return rows.map(toRow)
  }
  const execute = (sql: string, parameters: ReadonlyArray<unknown>) =>
    attempt("execute", () => all(sql, prepared(sql), parameters))
  const executeUnprepared = (sql: string, parameters: ReadonlyArray<unknown>) =>
    attempt("execute", () => all(sql, prepare(database, sql), parameters))
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
 * Lets a transaction wait for another process that writes, while others of this one go on. Those of this process that
 * come behind it wait together with it, and not as long once more each: where it has waited long enough, so have they.
 */
export const patient = (connection: SqlConnection.Connection): SqlConnection.Connection => {
  let busySince: number | undefined
  let busyLast = 0
  const hasWaited = (): boolean => {
    const now = performance.now()
    // Where nobody has asked for a while, it may have been free in between.
    if (busySince === undefined || now - busyLast > busyTimeoutMillis) busySince = now
    busyLast = now
    return now - busySince >= busyTimeoutMillis
  }
  type Begin = ReturnType<typeof connection.execute>
  const wait = (begin: Begin): Begin =>
    Effect.catchIf(
      begin,
      (error) => isBusy(error) && !hasWaited(),
      () => Effect.andThen(pause, waitAnew(begin))
    )
  const waitAnew = (begin: Begin): Begin =>
    Effect.tap(wait(begin), () =>
      Effect.sync(() => {
        busySince = undefined
      })
    )
  return {
    ...connection,
    execute: (sql, parameters, transform) => {
      const result = connection.execute(sql, parameters, transform)
      if (sql !== beginTransaction) return result
      return Effect.suspend(() => (busySince === undefined ? wait(result) : waitAnew(result)))
    }
  }
}

/** By the machine's own timer: another process does not go by the clock of a test. */
const pause = Effect.callback<void>((resume) => {
  const timer = setTimeout(() => resume(Effect.void), busyPauseMillis)
  return Effect.sync(() => clearTimeout(timer))
})
