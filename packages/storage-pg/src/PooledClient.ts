/**
 * A `SqlClient` over a pool of Lectern's own connections. A connection serves one caller at a time, so a statement that
 * waits for a lock delays no other statement, and can be canceled.
 */
import { PgPool } from "@effect/sql-pg"
import type { StoreStatistics } from "@lectern/kernel"
import type { SqlRecords } from "@lectern/storage-sql"
import { Context, Effect, Layer, type Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlError } from "effect/sql"
import type { Use } from "./Admission.ts"
import { Connections, type Lease } from "./Connections.ts"
import { detectPooler } from "./detectPooler.ts"
import { commit, type Execute, postgresCompiler } from "./driver.ts"
import { LeasedConnection } from "./LeasedConnection.ts"
import type { PgLimits } from "./limits.ts"

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
