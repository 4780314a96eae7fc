/**
 * A `SqlClient` over a pool of Lectern's own connections. A connection serves one caller at a time, so a statement that
 * waits for a lock delays no other statement, and can be canceled.
 */
import { type PgConnection, PgPool } from "@effect/sql-pg"
import type { StoreStatistics } from "@lectern/core"
import { Context, Effect, Layer, type Redacted, Scope, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, type SqlError } from "effect/sql"
import { Admission, type Use } from "./Admission.ts"
import { codeOf } from "./classify.ts"
import { detectPooler } from "./detectPooler.ts"
import { commit, type Execute, postgresCompiler } from "./driver.ts"
import {
  clientGraceMs,
  isBegin,
  noFreeConnection,
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

/** How long to wait before another attempt to connect, after the server rejected a connection, in milliseconds. */
const rejectedRetryMs = 100

/** How long after a connection went silent failed attempts to connect are repeated, in milliseconds. */
const recentMs = 30_000

/** The SQLSTATE of a connection that the server rejects because it has too many, in all or of a role. */
const tooManyConnections = "53300"

/** The result of a rollback that is not executed. */
const rolledBack: PgConnection.Result = { command: "ROLLBACK", rowCount: 0, oid: null, rows: [], fields: [] }

type Lease<A> = Effect.Effect<A, SqlError.SqlError, Scope.Scope>

/** The connections, and which of them have responded recently. */
class Connections {
  readonly #pool: PgPool.PgPool
  readonly #admission: Admission
  readonly #acquireMs: number
  readonly #maxConnections: number
  /** The time of the last response on each connection. */
  readonly #respondedAt = new WeakMap<PgConnection.PgConnection, number>()
  /** Connections without a response since this time are replaced, because another one stopped responding. */
  #distrustedBefore = Number.NEGATIVE_INFINITY
  /** How many connections without any response are replaced: the pool may have opened them before one went silent. */
  #unusedToReplace = 0

  constructor(pool: PgPool.PgPool, options: PooledClientOptions) {
    this.#pool = pool
    this.#admission = new Admission(options)
    this.#acquireMs = options.acquireMs
    this.#maxConnections = options.maxConnections
  }

  /** The state of the pool, for metrics. */
  readonly statistics = (): StoreStatistics => ({
    pool: {
      maximum: this.#maxConnections,
      inUse: this.#admission.inUseCount,
      waiting: this.#admission.waitingCount
    }
  })

  /** Records a response on a connection. */
  readonly responded = (connection: PgConnection.PgConnection): void => {
    this.#respondedAt.set(connection, performance.now())
  }

  /** Removes a connection that did not respond, and distrusts the connections that have not responded since. */
  readonly distrust = (connection: PgConnection.PgConnection): void => {
    this.#respondedAt.set(connection, 0)
    this.#distrustedBefore = performance.now()
    this.#unusedToReplace = this.#maxConnections
  }

  /** Leases a connection to one caller until the scope closes. */
  readonly lease = (use: Use): Lease<PgConnection.PgConnection> =>
    Effect.suspend(() => {
      const deadline = performance.now() + this.#acquireMs
      const attempt: Lease<PgConnection.PgConnection> = Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(this.#admission.acquire(use)), () => {
          let isRejected = false
          return Effect.andThen(
            Effect.addFinalizer(() => Effect.sync(() => !isRejected && this.#admission.release(use))),
            Effect.catch(restore(this.#connect), (error) => {
              if (codeOf(error) !== tooManyConnections) return Effect.fail(error)
              isRejected = true
              this.#admission.releaseRejected(use)
              if (performance.now() + rejectedRetryMs > deadline) {
                return Effect.fail(
                  noFreeConnection(
                    `The server accepted no further connection within ${this.#acquireMs} ms, because of its limit.`
                  )
                )
              }
              return Effect.andThen(restore(Effect.sleep(rejectedRetryMs)), attempt)
            })
          )
        })
      )
      return attempt
    })

  /** Gets a connection, again if an attempt to connect failed that can have begun while the network was interrupted. */
  readonly #get: Lease<PgConnection.PgConnection> = Effect.suspend(() =>
    Effect.catch(this.#pool.get, (error) =>
      codeOf(error) === undefined && performance.now() - this.#distrustedBefore < recentMs
        ? this.#pool.get
        : Effect.fail(error)
    )
  )

  readonly #connect: Lease<PgConnection.PgConnection> = Effect.suspend(() =>
    Effect.flatMap(this.#get, (connection) => {
      const respondedAt = this.#respondedAt.get(connection)
      const isReplaced =
        respondedAt === undefined ? this.#unusedToReplace-- > 0 : respondedAt <= this.#distrustedBefore
      if (isReplaced) {
        return Effect.andThen(this.#pool.invalidate(connection), this.#connect)
      }
      if (respondedAt === undefined) this.responded(connection)
      // Its transaction can still be open, if only a statement was canceled.
      const closeIfBroken = Effect.suspend(() =>
        this.#respondedAt.get(connection) === 0 ? this.#pool.invalidate(connection) : Effect.void
      )
      return Effect.as(
        Effect.addFinalizer(() => closeIfBroken),
        connection
      )
    })
  )
}

/** Executes statements on a leased connection, within their limits. */
class LeasedConnection implements SqlConnection.Connection {
  readonly #connections: Connections
  readonly #base: PgConnection.PgConnection
  readonly #scope: Scope.Scope
  readonly #limits: StatementLimits
  readonly #isPrepared: boolean
  /** The exclusive view of the connection, on which an interruption cancels a statement. */
  #pinned: PgConnection.PgConnection | undefined
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
        : Effect.flatMap(this.#pin, (pinned) => pinned.query(text, parameters, usesPreparation))
      return Effect.tap(
        withDeadline(result, limitMs, () => {
          this.#isBroken = true
          this.#connections.distrust(this.#base)
        }),
        () => Effect.sync(() => this.#connections.responded(this.#base))
      )
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

  readonly #pin: Effect.Effect<PgConnection.PgConnection> = Effect.suspend(() =>
    this.#pinned === undefined
      ? Effect.map(Scope.provide(this.#base.pin, this.#scope), (pinned) => {
          this.#pinned = pinned
          return pinned
        })
      : Effect.succeed(this.#pinned)
  )

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
    Context.add(PooledConnections, { execute, isPooled, statistics: connections.statistics })
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
