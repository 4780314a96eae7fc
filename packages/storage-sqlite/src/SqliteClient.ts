/**
 * A `SqlClient` over the SQLite that is built into Node.
 *
 * One connection writes, one reads. SQLite's write-ahead log lets them go side by side: whoever reads sees what was
 * committed last and never waits for a transaction that is open. One reader is enough, for `node:sqlite` answers
 * at once: no two statements of a process ever run at the same time. A database in memory has one connection for
 * both, and reading waits there while a transaction is open.
 */
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { Context, Effect, Layer, type Scope, Semaphore, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, type SqlError, Statement } from "effect/sql"
import {
  attempt,
  beginTransaction,
  connect,
  endReading,
  openReader,
  openWriter,
  patient,
  readingByTurns
} from "./connection.ts"
import { requireForeignKeys, sharedConnections, turnOf } from "./sharedDatabase.ts"

/** Which database to use: a file, or the host's open handle. */
export type SqliteClientConfig =
  | {
      /** The file, created with the folders above it if it is missing; or `:memory:`. */
      readonly filename: string
      readonly database?: never
    }
  | {
      /** The open handle of a host, which is never closed. See `sharedConnections` for what sharing it requires. */
      readonly database: DatabaseSync
      readonly filename?: never
    }

const inMemory = ":memory:"

/** The connection for what is not in a transaction, without what the client adds to a statement: a span. */
export class SqliteConnection extends Context.Service<SqliteConnection, SqlConnection.Connection>()(
  "@lectern/storage-sqlite/SqliteConnection"
) {}

/** A client with its bare connection. */
interface Opened {
  readonly client: SqlClient.SqlClient
  readonly connection: SqlConnection.Connection
}

/** Opens a database: its client, and its bare connection. A file is closed with the scope; a host's handle is not. */
export const make = Effect.fnUntraced(function* (
  config: SqliteClientConfig
): Effect.fn.Return<Opened, SqlError.SqlError, Scope.Scope | Reactivity.Reactivity> {
  if (config.database !== undefined) return yield* share(config.database)
  const { filename } = config
  const isFile = filename !== inMemory
  if (isFile) yield* attempt("open", () => mkdirSync(dirname(filename), { recursive: true }))
  const database = yield* handle(() => openWriter(filename))
  const writer = patient(connect(database, endReading))
  const reader = isFile ? yield* readerOf(filename) : writer
  const turn = yield* Semaphore.make(1)
  return yield* makeClient(database, turn, writer, writer, route(reader, writer, turn))
})

/** The client of a handle that the host shares. */
const share = Effect.fnUntraced(function* (
  database: DatabaseSync
): Effect.fn.Return<Opened, SqlError.SqlError, Scope.Scope | Reactivity.Reactivity> {
  const { inside, outside } = sharedConnections(database)
  const turn = turnOf(database)
  yield* turn.withPermit(requireForeignKeys(outside))
  return yield* makeClient(database, turn, patient(inside), outside, route(outside, outside, turn))
})

/** `inside` runs transactions, `outside` streams, and `connection` every other statement. */
const makeClient = Effect.fnUntraced(function* (
  database: DatabaseSync,
  turn: Semaphore.Semaphore,
  inside: SqlConnection.Connection,
  outside: SqlConnection.Connection,
  connection: SqlConnection.Connection
): Effect.fn.Return<Opened, never, Reactivity.Reactivity> {
  const acquirers = SqlClient.makeSqliteAcquirers({
    connection: Effect.succeed(inside),
    semaphore: turn,
    isTransaction: () => database.isTransaction
  })
  const client = yield* SqlClient.make({
    ...acquirers,
    acquirer: Effect.as(acquirers.acquirer, outside),
    borrower: (use) => use(connection),
    compiler: Statement.makeCompilerSqlite(),
    driver: "sqlite-node",
    beginTransaction,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    prepareTransactionControls: true,
    spanAttributes: [["db.system.name", "sqlite"]]
  })
  return { client, connection }
})

const handle = (open: () => DatabaseSync) =>
  Effect.acquireRelease(attempt("open", open), (database) => Effect.sync(() => database.close()))

const readerOf = (filename: string) =>
  Effect.map(
    handle(() => openReader(filename)),
    (database) => connect(database, readingByTurns(database))
  )

/** Sends what only reads to the reader, and all else to the writer, when no transaction is open there. */
const route = (
  reader: SqlConnection.Connection,
  writer: SqlConnection.Connection,
  turn: Semaphore.Semaphore
): SqlConnection.Connection => {
  const isRead = (sql: string) => reader !== writer && sql.startsWith("SELECT")
  const run =
    <Rest extends ReadonlyArray<unknown>, A>(
      verb: (
        on: SqlConnection.Connection
      ) => (sql: string, ...rest: Rest) => Effect.Effect<A, SqlError.SqlError>
    ) =>
    (sql: string, ...rest: Rest) =>
      isRead(sql) ? verb(reader)(sql, ...rest) : turn.withPermit(verb(writer)(sql, ...rest))
  const execute = run((on) => on.execute)
  return {
    execute,
    executeUnprepared: run((on) => on.executeUnprepared),
    executeRaw: run((on) => on.executeRaw),
    executeValues: run((on) => on.executeValues),
    executeValuesUnprepared: run((on) => on.executeValuesUnprepared),
    // The rows are there before the stream begins, so the writer need not be held for as long as it runs.
    executeStream: (sql, parameters, transform) =>
      Stream.fromIterableEffect(execute(sql, parameters, transform))
  }
}

/** The `SqlClient` of a database, and its bare connection. */
export const layer = (
  config: SqliteClientConfig
): Layer.Layer<SqlClient.SqlClient | SqliteConnection, SqlError.SqlError> =>
  Layer.effectContext(
    Effect.map(make(config), ({ client, connection }) =>
      Context.make(SqlClient.SqlClient, client).pipe(Context.add(SqliteConnection, connection))
    )
  ).pipe(Layer.provide(Reactivity.layer))
