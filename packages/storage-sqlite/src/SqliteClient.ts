/**
 * A `SqlClient` over the SQLite that is built into Node.
 *
 * One connection writes, one reads. SQLite's write-ahead log lets them go side by side: whoever reads sees what was
 * committed last and never waits for a transaction that is open. One reader is enough, for `node:sqlite` answers
 * at once: no two statements of a process ever run at the same time.
 */
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import { Effect, Layer, type Scope, Semaphore, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import { classify } from "./classify.ts"

/** How to open a database. */
export interface SqliteClientConfig {
  /** The file, made where there is none, with the folders above it; or `:memory:`. */
  readonly filename: string
}

/** How long a statement waits for another process that writes, in milliseconds, before it is a conflict. */
const busyTimeoutMillis = 2_000

/** How many prepared statements a connection keeps. */
const keptStatements = 500

const inMemory = ":memory:"

const open = (filename: string, readOnly: boolean): DatabaseSync => {
  const database = new DatabaseSync(filename, {
    readOnly,
    timeout: busyTimeoutMillis,
    enableForeignKeyConstraints: true
  })
  // FULL makes a commit wait for the disk: what was acknowledged survives a loss of power, not only of the process.
  if (!readOnly) database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
  return database
}

const attempt = <A>(operation: string, body: () => A): Effect.Effect<A, SqlError.SqlError> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(body())
    } catch (cause) {
      return Effect.fail(new SqlError.SqlError({ reason: classify(cause, operation) }))
    }
  })

type Rows = ReadonlyArray<Record<string, unknown>>

/** A connection over one database handle. Statements are kept prepared; the one used longest ago goes first. */
const connect = (database: DatabaseSync) => {
  const statements = new Map<string, StatementSync>()
  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known !== undefined) {
      statements.delete(sql)
      statements.set(sql, known)
      return known
    }
    const statement = database.prepare(sql)
    if (statements.size >= keptStatements) statements.delete(statements.keys().next().value!)
    statements.set(sql, statement)
    return statement
  }
  const all = (statement: StatementSync, parameters: ReadonlyArray<unknown>): Rows =>
    statement.all(...(parameters as ReadonlyArray<SQLInputValue>))
  const execute = (sql: string, parameters: ReadonlyArray<unknown>) =>
    attempt("execute", () => all(prepared(sql), parameters))
  const executeUnprepared = (sql: string, parameters: ReadonlyArray<unknown>) =>
    attempt("execute", () => all(database.prepare(sql), parameters))
  const values = (rows: Effect.Effect<Rows, SqlError.SqlError>) =>
    Effect.map(rows, (all) => all.map((row) => Object.values(row)))
  const connection: SqlConnection.Connection = {
    execute: (sql, parameters, transform) => transformed(execute(sql, parameters), transform),
    executeUnprepared: (sql, parameters, transform) =>
      transformed(executeUnprepared(sql, parameters), transform),
    executeRaw: execute,
    executeValues: (sql, parameters) => values(execute(sql, parameters)),
    executeValuesUnprepared: (sql, parameters) => values(executeUnprepared(sql, parameters)),
    executeStream: (sql, parameters, transform) =>
      Stream.unwrap(
        Effect.map(transformed(execute(sql, parameters), transform), (rows) => Stream.fromIterable(rows))
      )
  }
  return connection
}

type Transform = (<A extends object>(rows: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined

const transformed = (rows: Effect.Effect<Rows, SqlError.SqlError>, transform: Transform) =>
  transform === undefined ? rows : Effect.map(rows, transform)

/** Sends what only reads to the reader, and all else to the writer, when no transaction is open there. */
const route = (
  reader: SqlConnection.Connection,
  writer: SqlConnection.Connection,
  turn: Semaphore.Semaphore
): SqlConnection.Connection => {
  const isRead = (sql: string) => reader !== writer && sql.startsWith("SELECT")
  return {
    execute: (sql, parameters, transform) =>
      isRead(sql)
        ? reader.execute(sql, parameters, transform)
        : turn.withPermit(writer.execute(sql, parameters, transform)),
    executeUnprepared: (sql, parameters, transform) =>
      isRead(sql)
        ? reader.executeUnprepared(sql, parameters, transform)
        : turn.withPermit(writer.executeUnprepared(sql, parameters, transform)),
    executeRaw: (sql, parameters) =>
      isRead(sql) ? reader.executeRaw(sql, parameters) : turn.withPermit(writer.executeRaw(sql, parameters)),
    executeValues: (sql, parameters) =>
      isRead(sql)
        ? reader.executeValues(sql, parameters)
        : turn.withPermit(writer.executeValues(sql, parameters)),
    executeValuesUnprepared: (sql, parameters) =>
      isRead(sql)
        ? reader.executeValuesUnprepared(sql, parameters)
        : turn.withPermit(writer.executeValuesUnprepared(sql, parameters)),
    executeStream: (sql, parameters, transform) => writer.executeStream(sql, parameters, transform)
  }
}

/** Opens a database. It is closed with the scope. */
export const make = (
  config: SqliteClientConfig
): Effect.Effect<SqlClient.SqlClient, SqlError.SqlError, Scope.Scope | Reactivity.Reactivity> =>
  Effect.gen(function* () {
    const handle = (readOnly: boolean) =>
      Effect.acquireRelease(
        attempt("open", () => open(config.filename, readOnly)),
        (database) => Effect.sync(() => database.close())
      )
    const isFile = config.filename !== inMemory
    if (isFile) yield* attempt("open", () => mkdirSync(dirname(config.filename), { recursive: true }))
    const database = yield* handle(false)
    const writer = connect(database)
    const reader = isFile ? connect(yield* handle(true)) : writer
    const turn = yield* Semaphore.make(1)
    const lease = SqlClient.makeSqliteAcquirers({
      connection: Effect.succeed(writer),
      semaphore: turn,
      isTransaction: () => database.isTransaction
    })
    const routed = route(reader, writer, turn)
    return yield* SqlClient.make({
      ...lease,
      borrower: (use) => use(routed),
      compiler: Statement.makeCompilerSqlite(),
      driver: "sqlite-node",
      beginTransaction: "BEGIN IMMEDIATE",
      releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
      prepareTransactionControls: true,
      spanAttributes: [["db.system.name", "sqlite"]]
    })
  })

/** The `SqlClient` of a database. */
export const layer = (config: SqliteClientConfig): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effect(SqlClient.SqlClient, make(config)).pipe(Layer.provide(Reactivity.layer))
