/**
 * A `SqlClient` over the `pg.Pool` of a host. It never closes the pool, and no setting of a connection outlives the
 * statement or the transaction for which Lectern borrows the connection.
 */
import type { HostConnection, JoinableTransaction } from "@lectern/kernel"
import type { SqlRecords } from "@lectern/storage-sql"
import { Effect, Layer, type Scope, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, type SqlError } from "effect/sql"
import { commit, parsers, postgresCompiler, toSqlError } from "./driver.ts"
import { shareClient } from "./HostClient.ts"
import type { HostPool, HostPoolClient, HostQuery, HostResult } from "./hostTypes.ts"
import { type ExecuteOnClient, JoinedConnection, joinClient } from "./JoinedClient.ts"
import {
  clientGraceMs,
  isBegin,
  noFreeConnection,
  type PgLimits,
  StatementLimits,
  setLocalStatements,
  withDeadline,
  withTimeout
} from "./limits.ts"

const identity = (value: unknown): unknown => value
/** Parsers for Lectern's statements only: the parsers of `pg` are global, and the host can have replaced them. */
const types: HostQuery["types"] = {
  getTypeParser: (oid) => (parsers.get(oid) ?? identity) as (value: never) => unknown
}

/** A connection that Lectern has borrowed from the pool. */
interface BorrowedConnection {
  readonly client: HostPoolClient
  /** Whether the connection was lost or a statement on it was interrupted. The pool must not reuse it then. */
  isBroken: boolean
  readonly onError: () => void
  /** Whether a transaction was begun, whose statements the server limits too. */
  isInTransaction: boolean
}

const release = (borrowed: BorrowedConnection): void => {
  // The pool does not listen for errors of a connection that it closes, so the listener must stay on a broken one.
  if (!borrowed.isBroken) borrowed.client.removeListener("error", borrowed.onError)
  borrowed.client.release(borrowed.isBroken)
}

/** Waits for a connection; returns it to the pool if the wait is interrupted. */
const borrow = (pool: HostPool): Effect.Effect<BorrowedConnection, SqlError.SqlError> =>
  Effect.callback((resume) => {
    let isInterrupted = false
    pool.connect().then(
      (client) => {
        if (isInterrupted) return client.release()
        const borrowed: BorrowedConnection = {
          client,
          isBroken: false,
          isInTransaction: false,
          onError: () => {
            borrowed.isBroken = true
          }
        }
        // A connection that is lost between two statements emits `error`, which ends the process without a listener.
        client.on("error", borrowed.onError)
        resume(Effect.succeed(borrowed))
      },
      (cause: unknown) => resume(Effect.fail(toSqlError(cause, "connect")))
    )
    return Effect.sync(() => {
      isInterrupted = true
    })
  })

/** Whether a statement is superfluous once the connection is closed, which a statement of it may still delay. */
const endsWithConnection = (text: string): boolean =>
  text.startsWith("ROLLBACK") || text.startsWith("RELEASE SAVEPOINT")

const query = (
  borrowed: BorrowedConnection,
  text: string,
  parameters: ReadonlyArray<unknown>
): Effect.Effect<HostResult, SqlError.SqlError> =>
  Effect.callback((resume) => {
    // PostgreSQL rolls back a transaction whose connection ends.
    if (borrowed.isBroken && endsWithConnection(text)) {
      return resume(Effect.succeed({ command: "ROLLBACK", rows: [] }))
    }
    borrowed.client.query({ text, values: [...parameters], types }).then(
      (result) => resume(Effect.succeed(result)),
      (cause: unknown) => resume(Effect.fail(toSqlError(cause, "execute")))
    )
    // The statement continues on the server, and the next borrower of the connection must not receive its result.
    return Effect.sync(() => {
      borrowed.isBroken = true
    })
  })

/** Executes a statement within its limits. A transaction begins with its limits, in one round trip. */
const limitedQuery = (
  borrowed: BorrowedConnection,
  defaults: StatementLimits,
  text: string,
  parameters: ReadonlyArray<unknown>
): Effect.Effect<HostResult, SqlError.SqlError> =>
  Effect.withFiber((fiber) => {
    const limits = fiber.getRef(StatementLimits) ?? defaults
    if (!isBegin(text)) {
      const graceMs = borrowed.isInTransaction ? clientGraceMs : 0
      return withDeadline(query(borrowed, text, parameters), limits.statementMs + graceMs)
    }
    borrowed.isInTransaction = true
    return withDeadline(
      query(borrowed, [text, ...setLocalStatements(limits)].join("; "), []),
      limits.statementMs
    )
  })

/** Returns a connection that executes every statement with one function. */
const connectionOf = (executeRaw: ExecuteOnClient): SqlConnection.Connection => {
  const execute: SqlConnection.Connection["execute"] = (text, parameters, transform) =>
    Effect.map(executeRaw(text, parameters), ({ rows }) => (transform === undefined ? rows : transform(rows)))
  const executeValues: SqlConnection.Connection["executeValues"] = (text, parameters) =>
    Effect.map(executeRaw(text, parameters), ({ rows }) => rows.map((row) => Object.values(row)))
  return {
    execute,
    executeUnprepared: execute,
    executeRaw,
    executeValues,
    executeValuesUnprepared: executeValues,
    executeStream: (text, parameters, transform) =>
      Stream.fromIterableEffect(execute(text, parameters, transform))
  }
}

const toConnection = (borrowed: BorrowedConnection, limits: PgLimits): SqlConnection.Connection => {
  const connection = connectionOf((text, parameters) => limitedQuery(borrowed, limits, text, parameters))
  borrowedBy.set(connection, borrowed)
  return connection
}

/** Joins the transaction that the host has begun on a client of its own: see `SqlRecordsOptions.joinTransaction`. */
export const joinHostTransaction =
  (limits: PgLimits) =>
  ({ connection }: JoinableTransaction): Effect.Effect<SqlRecords.JoinTransactions, SqlError.SqlError> => {
    const client = connection as Pick<HostPoolClient, "query">
    const execute: ExecuteOnClient = (text, parameters) =>
      withDeadline(
        Effect.tryPromise({
          try: () => client.query({ text, values: [...parameters], types }),
          catch: (cause) => toSqlError(cause, "execute")
        }),
        limits.statementMs + clientGraceMs
      )
    return joinClient(client, execute, limits, connectionOf)
  }

/** The borrowed connections of transactions, to share them with the host. */
const borrowedBy = new WeakMap<SqlConnection.Connection, BorrowedConnection>()

/** Returns the client of a connection of this module for statements of the host. */
export const shareWithHost = (connection: SqlConnection.Connection): HostConnection => {
  // All transactions of the client use borrowed connections.
  const borrowed = borrowedBy.get(connection)!
  return shareClient(borrowed.client, () => {
    borrowed.isBroken = true
  })
}

const makeClient = (
  pool: HostPool,
  limits: PgLimits
): Effect.Effect<SqlClient.SqlClient, never, Scope.Scope | Reactivity.Reactivity> => {
  const borrowInTime = withTimeout(borrow(pool), limits.acquireMs, () =>
    noFreeConnection(`The pool of the host did not provide a connection within ${limits.acquireMs} ms.`)
  )
  // Only the wait for a connection is interruptible, so that a connection is always released.
  const leased = Effect.uninterruptibleMask((restore) =>
    Effect.map(
      Effect.tap(restore(borrowInTime), (borrowed) =>
        Effect.addFinalizer(() => Effect.sync(() => release(borrowed)))
      ),
      (borrowed) => toConnection(borrowed, limits)
    )
  )
  const acquirer = Effect.flatMap(JoinedConnection, (joined) =>
    joined === undefined ? leased : Effect.succeed(joined)
  )
  return SqlClient.make({
    acquirer,
    borrower: (use) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(borrowInTime), (borrowed) =>
          Effect.onExit(restore(use(toConnection(borrowed, limits))), () =>
            Effect.sync(() => release(borrowed))
          )
        )
      ),
    compiler: postgresCompiler,
    driver: "pg",
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]]
  })
}

/** The `SqlClient` of a host's pool. Closing the layer does not close the pool. */
export const hostPoolLayer = (pool: HostPool, limits: PgLimits): Layer.Layer<SqlClient.SqlClient> =>
  Layer.effect(SqlClient.SqlClient, makeClient(pool, limits)).pipe(Layer.provide(Reactivity.layer))
