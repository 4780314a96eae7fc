/** Detects a connection pooler between Lectern and the server, and whether prepared statements work through it. */
import type { PgConnection, PgPool } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { codeOf } from "./classify.ts"
import { withDeadline } from "./limits.ts"

/** The pooler does not support prepared statements. */
export class IncompatiblePooler extends Error {
  override readonly name = "IncompatiblePooler"
}

/** How long each step of the detection may take, in milliseconds. A pooler with one connection would never complete it. */
const stepMs = 2_000

/** The SQLSTATEs of a prepared statement that the session does not have, and of statements after that in a transaction. */
const missingStatementCodes: ReadonlySet<string | undefined> = new Set(["26000", "42P05", "25P02"])

const readProcessId = (
  connection: PgConnection.PgConnection,
  isPrepared: boolean
): Effect.Effect<number, SqlError.SqlError> =>
  Effect.map(
    withDeadline(connection.query(`SELECT pg_backend_pid() AS "pid"`, [], isPrepared), stepMs),
    ({ rows }) => Number(rows[0]!.pid)
  )

const begin = (connection: PgConnection.PgConnection) =>
  Effect.acquireRelease(withDeadline(connection.query("BEGIN", [], false), stepMs), () =>
    Effect.ignore(withDeadline(connection.query("ROLLBACK", [], false), stepMs))
  )

/**
 * Prepares a statement, lets another client occupy the session that has it, and executes it again. Fails with a
 * `SqlError` of SQLSTATE 26000 or 25P02 if the pooler then uses a session that does not have the statement.
 */
const executeOnOtherSession = (pool: PgPool.PgPool): Effect.Effect<void, SqlError.SqlError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const first = yield* pool.get
      const second = yield* pool.get
      yield* readProcessId(first, true)
      yield* begin(second)
      yield* begin(first)
      yield* readProcessId(first, true)
    })
  )

/**
 * Returns whether a pooler is between Lectern and the server. Fails with a `SqlError` whose cause is an
 * `IncompatiblePooler` if statements are prepared and the pooler does not support it.
 */
export const detectPooler = Effect.fnUntraced(function* (
  pool: PgPool.PgPool,
  options: { readonly preparedStatements: boolean; readonly maxConnections: number }
): Effect.fn.Return<boolean, SqlError.SqlError> {
  // A pooler assigns process ids of its own, so that it can route cancellations.
  const isPooled = yield* Effect.scoped(
    Effect.flatMap(pool.get, (connection) =>
      Effect.map(readProcessId(connection, false), (processId) => processId !== connection.processId)
    )
  )
  if (!isPooled || !options.preparedStatements || options.maxConnections < 2) return isPooled
  const error = yield* Effect.match(executeOnOtherSession(pool), {
    onSuccess: () => undefined,
    onFailure: (error) => error
  })
  if (error === undefined || !missingStatementCodes.has(codeOf(error))) return isPooled
  return yield* new SqlError.SqlError({
    reason: new SqlError.ConnectionError({
      operation: "connect",
      cause: new IncompatiblePooler(
        "The connection pooler does not support prepared statements, like PgBouncer before version 1.21 in transaction mode. Set `preparedStatements` to false (LECTERN_DATABASE_PREPARED_STATEMENTS=false), or set `max_prepared_statements` in PgBouncer 1.21 or newer."
      )
    })
  })
})
