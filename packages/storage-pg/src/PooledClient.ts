/**
 * A `SqlClient` over a pool of Lectern's own connections. A connection serves one caller at a time, so a statement that
 * waits for a lock delays no other statement, and can be canceled.
 */
import { type PgConnection, PgPool } from "@effect/sql-pg"
import type { PlainRow, StoreStatistics } from "@lectern/kernel"
import type { SqlRecords } from "@lectern/storage-sql"
import { Context, Effect, Exit, Layer, type Redacted, Result, Scope, Semaphore, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, type SqlError } from "effect/sql"
import type { Use } from "./Admission.ts"
import { Connections, type Lease } from "./Connections.ts"
import { isFromStandby } from "./classify.ts"
import { detectPooler } from "./detectPooler.ts"
import { commit, type Execute, postgresCompiler } from "./driver.ts"
import {
  clientGraceMs,
  isBegin,
  type PgLimits,
  StatementLimits,
  setLocalStatements,
  withDeadline
} from "./limits.ts"

/** Options of {@link pooledClientLayer}. */
export interface PooledClientOptions extends PgLimits {
  /** The connection string. */
  readonly url: Redacted.Redacted<string>
  /** The maximum number of connections. */
  readonly maxConnections: number
  /** The maximum number of callers that wait for a connection. */
  readonly maxWaiting: number
  /** Whether statements are prepared. Poolers that do not support prepared statements require `false`. */
  readonly preparedStatements: boolean
}

/** The number of prepared statements that a connection caches, which is more than the workspace has. */
const preparedStatementCacheSize = 500

/** The result of a rollback that is not executed. */
const rolledBack: PgConnection.Result = { command: "ROLLBACK", rowCount: 0, oid: null, rows: [], fields: [] }

/** Executes statements on a leased connection, within their limits. */
class LeasedConnection implements SqlConnection.Connection {
  readonly #connections: Connections
  readonly #base: PgConnection.PgConnection
  readonly #scope: Scope.Scope
  readonly #limits: StatementLimits
  readonly #isPrepared: boolean
  /** The exclusive view of the connection, on which an interruption cancels a statement, and its scope. */
  #pinned: { readonly view: PgConnection.PgConnection; readonly scope: Scope.Closeable } | undefined
  /** The turn of a statement, or of several that are executed together: they share the connection, and pin it differently. */
  readonly #turn = Semaphore.makeUnsafe(1)
  #isInTransaction = false
  /** Whether a statement exceeded its deadline. The connection is closed when it is released. */
  #isBroken = false

  constructor(
    connections: Connections,
    base: PgConnection.PgConnection,
    scope: Scope.Scope,
    options: PooledClientOptions
  ) {
    this.#connections = connections
    this.#base = base
    this.#scope = scope
    this.#limits = options
    this.#isPrepared = options.preparedStatements
  }

  readonly #query = (
    text: string,
    parameters: ReadonlyArray<unknown>,
    isPrepared: boolean
  ): Effect.Effect<PgConnection.Result, SqlError.SqlError> =>
    Effect.withFiber((fiber) => {
      // PostgreSQL rolls back a transaction whose connection ends.
      if (this.#isBroken && text === "ROLLBACK") return Effect.succeed(rolledBack)
      const limits = fiber.getRef(StatementLimits) ?? this.#limits
      const usesPreparation = isPrepared && this.#isPrepared
      const limitMs = limits.statementMs + (this.#isInTransaction ? clientGraceMs : 0)
      const result = isBegin(text)
        ? this.#begin(text, limits, usesPreparation)
        : this.#queryPinned(text, parameters, usesPreparation)
      return this.#withDeadline(result, limitMs)
    })

  /** Closes the connection if it exceeds a deadline, and records its responses. */
  readonly #withDeadline = <A>(
    result: Effect.Effect<A, SqlError.SqlError>,
    limitMs: number
  ): Effect.Effect<A, SqlError.SqlError> =>
    Effect.tap(
      Effect.tapError(
        withDeadline(result, limitMs, () => {
          this.#isBroken = true
          this.#connections.distrust(this.#base)
        }),
        this.#leaveStandby
      ),
      () => Effect.sync(() => this.#connections.responded(this.#base))
    )

  /** Closes the connection after its transaction if the server accepts no writes, and replaces the others. */
  readonly #leaveStandby = (error: SqlError.SqlError): Effect.Effect<void> =>
    Effect.sync(() => {
      if (isFromStandby(error) && this.#connections.leave(this.#base)) this.#isBroken = true
    })

  /** Begins a transaction and sets its limits in the same round trip. Pinned statements would need one each. */
  readonly #begin = (
    text: string,
    limits: StatementLimits,
    isPrepared: boolean
  ): Effect.Effect<PgConnection.Result, SqlError.SqlError> => {
    this.#isInTransaction = true
    return Effect.map(
      Effect.all(
        [
          this.#base.query(text, [], isPrepared),
          ...setLocalStatements(limits).map((statement) => this.#base.query(statement, [], this.#isPrepared))
        ],
        { concurrency: "unbounded" }
      ),
      ([begun]) => begun
    )
  }

  readonly #queryPinned = (
    text: string,
    parameters: ReadonlyArray<unknown>,
    isPrepared: boolean
  ): Effect.Effect<PgConnection.Result, SqlError.SqlError> =>
    this.#turn.withPermit(Effect.flatMap(this.#pin, (view) => view.query(text, parameters, isPrepared)))

  readonly #pin: Effect.Effect<PgConnection.PgConnection> = Effect.suspend(() =>
    this.#pinned === undefined
      ? // Uninterruptible, so that a view is never lost. No other statement delays it: see `#turn`.
        Effect.uninterruptible(
          Effect.flatMap(Scope.fork(this.#scope), (scope) =>
            Effect.map(Scope.provide(this.#base.pin, scope), (view) => {
              this.#pinned = { view, scope }
              return view
            })
          )
        )
      : Effect.succeed(this.#pinned.view)
  )

  readonly #unpin: Effect.Effect<void> = Effect.suspend(() => {
    if (this.#pinned === undefined) return Effect.void
    const { scope } = this.#pinned
    this.#pinned = undefined
    return Scope.close(scope, Exit.void)
  })

  /**
   * Executes statements in order and in one round trip, which an interruption does not cancel: they write, and the
   * transaction limits their time. Returns their rows. Fails with the error of the first that fails, and its index.
   */
  readonly executeTogether = (
    statements: ReadonlyArray<{ readonly text: string; readonly parameters: ReadonlyArray<unknown> }>
  ): Effect.Effect<
    ReadonlyArray<ReadonlyArray<PlainRow>>,
    { readonly error: SqlError.SqlError; readonly index: number }
  > =>
    Effect.withFiber((fiber) => {
      const [only] = statements
      if (statements.length === 1 && only !== undefined) {
        return Effect.mapBoth(this.#query(only.text, only.parameters, true), {
          onSuccess: ({ rows }) => [rows],
          onFailure: (error) => ({ error, index: 0 })
        })
      }
      const limits = fiber.getRef(StatementLimits) ?? this.#limits
      const sent = Effect.forEach(
        statements,
        ({ text, parameters }) => Effect.result(this.#base.query(text, parameters, this.#isPrepared)),
        { concurrency: "unbounded" }
      )
      return Effect.flatMap(
        Effect.mapError(
          this.#withDeadline(
            this.#turn.withPermit(Effect.uninterruptible(Effect.andThen(this.#unpin, sent))),
            limits.statementMs + clientGraceMs
          ),
          (error) => ({ error, index: 0 })
        ),
        (results) => {
          const rows: Array<ReadonlyArray<PlainRow>> = []
          for (const [index, result] of results.entries()) {
            if (Result.isFailure(result)) {
              return Effect.andThen(
                this.#leaveStandby(result.failure),
                Effect.fail({ error: result.failure, index })
              )
            }
            rows.push(result.success.rows)
          }
          return Effect.succeed(rows)
        }
      )
    })

  readonly execute: SqlConnection.Connection["execute"] = (text, parameters, transform) =>
    Effect.map(this.#query(text, parameters, true), ({ rows }) =>
      transform === undefined ? rows : transform(rows)
    )

  readonly executeUnprepared: SqlConnection.Connection["execute"] = (text, parameters, transform) =>
    Effect.map(this.#query(text, parameters, false), ({ rows }) =>
      transform === undefined ? rows : transform(rows)
    )

  readonly executeRaw: SqlConnection.Connection["executeRaw"] = (text, parameters) =>
    this.#query(text, parameters, true)

  readonly executeValues: SqlConnection.Connection["executeValues"] = (text, parameters) =>
    Effect.map(this.#query(text, parameters, true), ({ rows }) => rows.map((row) => Object.values(row)))

  readonly executeValuesUnprepared: SqlConnection.Connection["executeValuesUnprepared"] = (
    text,
    parameters
  ) => Effect.map(this.#query(text, parameters, false), ({ rows }) => rows.map((row) => Object.values(row)))

  readonly executeStream: SqlConnection.Connection["executeStream"] = (text, parameters, transform) =>
    Stream.fromIterableEffect(this.execute(text, parameters, transform))
}

/** Executes statements outside of transactions. */
export class PooledConnections extends Context.Service<
  PooledConnections,
  {
    /** Executes a statement outside of transactions. */
    readonly execute: Execute
    /** Executes several statements of a transaction in one round trip. */
    readonly executeTogether: SqlRecords.ExecuteTogether
    /** Whether a connection pooler is between Lectern and the server. */
    readonly isPooled: boolean
    /** Returns the state of the pool. */
    readonly statistics: () => StoreStatistics
  }
>()("@lectern/storage-pg/PooledConnections") {}

const makeClient = Effect.fnUntraced(function* (options: PooledClientOptions) {
  const pool = yield* PgPool.make({
    url: options.url,
    maxConnections: options.maxConnections,
    applicationName: "lectern",
    // A connection has one user, which sends `BEGIN` and the limits of the transaction in one round trip.
    multiplex: true,
    multiplexConcurrency: 1,
    prepare: options.preparedStatements,
    preparedStatementCacheSize,
    keepAlive: "30 seconds"
  })
  // Connecting once at the start reports wrong settings.
  const isPooled = yield* detectPooler(pool, options)
  const connections = new Connections(pool, options)
  const lease = (use: Use): Lease<LeasedConnection> =>
    Effect.flatMap(Effect.scope, (scope) =>
      Effect.map(
        connections.lease(use),
        (connection) => new LeasedConnection(connections, connection, scope, options)
      )
    )
  const read = (table: string): Lease<LeasedConnection> => lease({ kind: "read", table })
  const client = yield* SqlClient.make({
    acquirer: read(""),
    borrower: (use) => Effect.scoped(Effect.flatMap(read(""), use)),
    transactionAcquirer: lease({ kind: "transaction" }),
    compiler: postgresCompiler,
    driver: "pg",
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]]
  })
  const execute: Execute = (text, parameters, _, table) =>
    Effect.scoped(
      Effect.flatMap(read(table ?? ""), (connection) => connection.execute(text, parameters, undefined))
    )
  return Context.make(SqlClient.SqlClient, client).pipe(
    Context.add(PooledConnections, {
      execute,
      executeTogether: (connection, statements) =>
        // All transactions of the client use leased connections.
        (connection as LeasedConnection).executeTogether(statements),
      isPooled,
      statistics: connections.statistics
    })
  )
})

/**
 * The `SqlClient` of a pool, and its statements outside of transactions. Fails with a `SqlError` if no connection can be
 * opened.
 */
export const pooledClientLayer = (
  options: PooledClientOptions
): Layer.Layer<SqlClient.SqlClient | PooledConnections, SqlError.SqlError> =>
  Layer.effectContext(makeClient(options)).pipe(Layer.provide(Reactivity.layer))
