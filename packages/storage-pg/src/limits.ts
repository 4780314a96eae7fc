/** The limits that bound every wait on the database: for a connection, for a lock, and for a statement. */
import { Context, Effect, type Fiber } from "effect"
import { SqlError } from "effect/sql"
import { beginLocked, defaultLockTimeoutMs } from "./locking.ts"

/** The settings of the limits. */
export interface PgLimitOptions {
  /**
   * The maximum duration of a statement, in milliseconds; 30,000 by default. A longer one is canceled and fails with
   * `StorageUnavailable` and the reason `DeadlineExceeded`.
   */
  readonly statementTimeoutMs?: number | undefined
  /**
   * The maximum wait for a lock in a transaction, in milliseconds; 20,000 by default. A longer wait fails with
   * `StorageUnavailable` and the reason `Contention`.
   */
  readonly lockTimeoutMs?: number | undefined
  /**
   * The maximum wait for a free connection, in milliseconds; 10,000 by default. A longer wait fails with
   * `StorageUnavailable` and the reason `Overloaded`.
   */
  readonly acquireTimeoutMs?: number | undefined
}

/** The limits of a statement, in milliseconds. With a `lockMs` of 0, only `statementMs` limits the wait for a lock. */
export interface StatementLimits {
  readonly statementMs: number
  readonly lockMs: number
}

/** Overrides the limits of the statements of a fiber. */
export const StatementLimits = Context.Reference<StatementLimits | undefined>(
  "@lectern/storage-pg/StatementLimits",
  { defaultValue: () => undefined }
)

/** The limits of changes of the schema: another process can migrate for long, and so can an index of a large table. */
export const migrationLimits: StatementLimits = { statementMs: 30 * 60_000, lockMs: 0 }

/** The limits, with their defaults. */
export interface PgLimits extends StatementLimits {
  readonly acquireMs: number
}

/** Returns an option that is a positive number, or its default. Throws a `TypeError` if it is not valid. */
export const positiveOption = (name: string, value: number | undefined, fallback: number): number => {
  if (value === undefined) return fallback
  if (!Number.isInteger(value) || value < 1 || value > 2_147_483_647) {
    throw new TypeError(`\`${name}\` must be an integer from 1 to 2147483647; it is ${value}.`)
  }
  return value
}

/** Returns the limits that the options set. Throws a `TypeError` if one is not valid. */
export const readLimits = (options: PgLimitOptions): PgLimits => ({
  statementMs: positiveOption("statementTimeoutMs", options.statementTimeoutMs, 30_000),
  lockMs: positiveOption("lockTimeoutMs", options.lockTimeoutMs, defaultLockTimeoutMs),
  acquireMs: positiveOption("acquireTimeoutMs", options.acquireTimeoutMs, 10_000)
})

/**
 * How much longer than the server the client waits for a statement in a transaction, in milliseconds: the error of the
 * server is more precise, and does not cost the connection.
 */
export const clientGraceMs = 1_000

/** How long a transaction may be idle before the server ends it, in milliseconds: its client may be unreachable. */
const idleInTransactionMs = 60_000

/** Returns the statements that set the limits of statements until the end of a transaction. */
export const setLocalLimits = ({ statementMs, lockMs }: StatementLimits): ReadonlyArray<string> => [
  `SET LOCAL statement_timeout = ${statementMs}`,
  `SET LOCAL lock_timeout = ${lockMs}`
]

/**
 * Returns the statements that set the limits until the end of the transaction: a pooler can reuse the session then. A
 * `SELECT` of `set_config` would fix the snapshot of the transaction before it waits for its locks.
 */
export const setLocalStatements = (limits: StatementLimits): ReadonlyArray<string> => [
  ...setLocalLimits(limits),
  `SET LOCAL idle_in_transaction_session_timeout = ${idleInTransactionMs}`
]

/**
 * Returns the statements that set the limits of a transaction after the one that begins it: one statement if its snapshot does not
 * remain that of the transaction.
 */
export const localLimits = (begin: string, limits: StatementLimits): ReadonlyArray<string> =>
  begin === beginLocked
    ? [
        `SELECT set_config('statement_timeout', '${limits.statementMs}', TRUE), ` +
          `set_config('lock_timeout', '${limits.lockMs}', TRUE), ` +
          `set_config('idle_in_transaction_session_timeout', '${idleInTransactionMs}', TRUE)`
      ]
    : setLocalStatements(limits)

/** Whether a statement begins a transaction. */
export const isBegin = (text: string): boolean => text.startsWith("BEGIN")

/** The database did not respond to a statement within the deadline of the client. */
export class StatementDeadline extends Error {
  override readonly name = "StatementDeadline"
}

/** No connection became free within the timeout, or too many callers wait for one. */
export class NoFreeConnection extends Error {
  override readonly name = "NoFreeConnection"
}

const deadlineError = (limitMs: number): SqlError.SqlError =>
  new SqlError.SqlError({
    reason: new SqlError.StatementTimeoutError({
      cause: new StatementDeadline(`The database did not respond within ${limitMs} ms.`),
      operation: "execute"
    })
  })

/** Returns the error of a caller that did not get a connection. */
export const noFreeConnection = (message: string): SqlError.SqlError =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({ cause: new NoFreeConnection(message), operation: "connect" })
  })

/** How long an interrupted statement may take to be canceled, in milliseconds. Longer, and its connection is closed. */
const cancelMs = 1_000

/** Interrupts a fiber, and waits for its end for up to {@link cancelMs}. Calls `onAbandoned` if it has not ended then. */
const interruptInTime = (
  fiber: Fiber.Fiber<unknown, unknown>,
  onAbandoned: () => void
): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const timer = setTimeout(() => {
      onAbandoned()
      resume(Effect.void)
    }, cancelMs)
    fiber.addObserver(() => {
      clearTimeout(timer)
      resume(Effect.void)
    })
    fiber.interruptUnsafe()
  })

/**
 * Interrupts an effect after a time, and fails with `error`. The interruption is awaited for up to a second, so that a
 * statement normally does not outlive the use of its connection; `onAbandoned` is called if it does. The time is
 * measured by the system, not by Effect's `Clock`: a database does not wait for the clock of a test.
 */
export const withTimeout = <A>(
  effect: Effect.Effect<A, SqlError.SqlError>,
  limitMs: number,
  error: () => SqlError.SqlError,
  onAbandoned: () => void = () => {}
): Effect.Effect<A, SqlError.SqlError> =>
  Effect.withFiber((parent) =>
    Effect.callback((resume) => {
      const fiber = Effect.runForkWith(parent.context)(effect)
      const interrupt = interruptInTime(fiber, onAbandoned)
      const timer = setTimeout(() => {
        // The interruption ends the fiber, which must not resume the caller.
        stopObserving()
        resume(
          Effect.andThen(
            interrupt,
            Effect.suspend(() => Effect.fail(error()))
          )
        )
      }, limitMs)
      const stopObserving = fiber.addObserver((exit) => {
        clearTimeout(timer)
        resume(exit)
      })
      return Effect.suspend(() => {
        clearTimeout(timer)
        return interrupt
      })
    })
  )

/**
 * Interrupts a statement that exceeds its deadline, which fails with a `StatementDeadline`. Calls `onSilent` then, and
 * if the server does not confirm the cancellation of an interrupted statement.
 */
export const withDeadline = <A>(
  statement: Effect.Effect<A, SqlError.SqlError>,
  limitMs: number,
  onSilent: () => void = () => {}
): Effect.Effect<A, SqlError.SqlError> =>
  withTimeout(
    statement,
    limitMs,
    () => {
      onSilent()
      return deadlineError(limitMs)
    },
    onSilent
  )
