/**
 * A `SqlClient` over the `pg.Pool` of a host. The pool stays the host's: it is never closed, and nothing that is set on a
 * connection outlives the statement or the transaction that Lectern borrows the connection for.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, type Scope, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"

/** What Lectern uses of a `pg.QueryConfig`. */
export interface HostQuery {
  readonly text: string
  readonly values: Array<unknown>
  readonly types: { readonly getTypeParser: (oid: number, format?: string) => (value: never) => unknown }
}

/** What Lectern uses of a `pg.QueryResult`. */
export interface HostResult {
  readonly command: string
  readonly rows: ReadonlyArray<object>
}

/** What Lectern uses of a `pg.PoolClient`. */
export interface HostPoolClient {
  readonly query: (query: HostQuery) => Promise<HostResult>
  readonly release: (destroy?: boolean) => void
  readonly on: (event: "error", listener: (error: Error) => void) => unknown
  readonly removeListener: (event: "error", listener: (error: Error) => void) => unknown
}

/** What Lectern uses of a `pg.Pool`. A pool of `pg` 8 has this shape. */
export interface HostPool {
  readonly connect: () => Promise<HostPoolClient>
}

/** Object identifiers of types whose text is not returned as it is. */
const oids = { bool: 16, bytea: 17, int8: 20, int2: 21, int4: 23, float4: 700, float8: 701 } as const

const identity = (value: unknown): unknown => value
const parsers: ReadonlyMap<number, (value: string) => unknown> = new Map<number, (value: string) => unknown>([
  [oids.bool, (value) => value === "t"],
  [oids.bytea, (value) => Buffer.from(value.slice(2), "hex")],
  [oids.int8, Number],
  [oids.int2, Number],
  [oids.int4, Number],
  [oids.float4, Number],
  [oids.float8, Number]
])

/** Parsers of our own: those of `pg` are global, and the host may have replaced them. */
const types: HostQuery["types"] = {
  getTypeParser: (oid) => (parsers.get(oid) ?? identity) as (value: never) => unknown
}

/** SQLSTATE is five characters; other codes, such as `ECONNRESET`, are those of the connection. */
const isSqlState = (code: unknown): boolean => typeof code === "string" && /^[0-9A-Z]{5}$/.test(code)

const toSqlError = (cause: unknown, operation: string): SqlError.SqlError => {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined
  const reason = isSqlState(code)
    ? new SqlError.UnknownError({ cause, operation })
    : new SqlError.ConnectionError({ cause, operation })
  return new SqlError.SqlError({ reason })
}

/** A connection that Lectern has borrowed. */
interface Borrowed {
  readonly client: HostPoolClient
  /** The connection was lost, or a statement was interrupted on it: the pool must not use it again. */
  isBroken: boolean
  readonly onError: () => void
}

const release = (borrowed: Borrowed): void => {
  // The pool does not listen for errors of a connection that it closes.
  if (!borrowed.isBroken) borrowed.client.removeListener("error", borrowed.onError)
  borrowed.client.release(borrowed.isBroken)
}

/** Waits for a connection; returns it to the pool if the wait is interrupted. */
const borrow = (pool: HostPool): Effect.Effect<Borrowed, SqlError.SqlError> =>
  Effect.callback((resume) => {
    let isInterrupted = false
    pool.connect().then(
      (client) => {
        if (isInterrupted) return client.release()
        const borrowed: Borrowed = {
          client,
          isBroken: false,
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

const query = (
  borrowed: Borrowed,
  text: string,
  parameters: ReadonlyArray<unknown>
): Effect.Effect<HostResult, SqlError.SqlError> =>
  Effect.callback((resume) => {
    // PostgreSQL rolls back a transaction whose connection ends.
    if (borrowed.isBroken && text === "ROLLBACK") {
      return resume(Effect.succeed({ command: "ROLLBACK", rows: [] }))
    }
    borrowed.client.query({ text, values: [...parameters], types }).then(
      (result) => resume(Effect.succeed(result)),
      (cause: unknown) => resume(Effect.fail(toSqlError(cause, "execute")))
    )
    // The statement cannot be taken back, and its result must not reach whoever borrows the connection next.
    return Effect.sync(() => {
      borrowed.isBroken = true
    })
  })

const connectionOf = (borrowed: Borrowed): SqlConnection.Connection => {
  const execute: SqlConnection.Connection["execute"] = (text, parameters, transform) =>
    Effect.map(query(borrowed, text, parameters), ({ rows }) =>
      transform === undefined ? rows : transform(rows)
    )
  const executeValues: SqlConnection.Connection["executeValues"] = (text, parameters) =>
    Effect.map(query(borrowed, text, parameters), ({ rows }) => rows.map((row) => Object.values(row)))
  return {
    execute,
    executeUnprepared: execute,
    executeRaw: (text, parameters) => query(borrowed, text, parameters),
    executeValues,
    executeValuesUnprepared: executeValues,
    executeStream: (text, parameters, transform) =>
      Stream.fromIterableEffect(execute(text, parameters, transform))
  }
}

/** PostgreSQL completes the `COMMIT` of a transaction that failed with `ROLLBACK`, and without an error. */
const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    (result as HostResult).command === "ROLLBACK"
      ? Effect.fail(
          new SqlError.SqlError({
            reason: new SqlError.UnknownError({
              cause: new Error("PostgreSQL rolled back a transaction that had failed."),
              operation: "commit"
            })
          })
        )
      : Effect.void
  )

const makeClient = (
  pool: HostPool
): Effect.Effect<SqlClient.SqlClient, never, Scope.Scope | Reactivity.Reactivity> => {
  // Only the wait for a connection can be interrupted: a connection that is there is always released.
  const acquirer = Effect.uninterruptibleMask((restore) =>
    Effect.map(
      Effect.tap(restore(borrow(pool)), (borrowed) =>
        Effect.addFinalizer(() => Effect.sync(() => release(borrowed)))
      ),
      connectionOf
    )
  )
  return SqlClient.make({
    acquirer,
    borrower: (use) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(borrow(pool)), (borrowed) =>
          Effect.onExit(restore(use(connectionOf(borrowed))), () => Effect.sync(() => release(borrowed)))
        )
      ),
    compiler: PgClient.makeCompiler(),
    driver: "pg",
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]]
  })
}

/** The `SqlClient` of a host's pool. Disposing of it does not close the pool. */
export const hostPoolLayer = (pool: HostPool): Layer.Layer<SqlClient.SqlClient> =>
  Layer.effect(SqlClient.SqlClient, makeClient(pool)).pipe(Layer.provide(Reactivity.layer))
