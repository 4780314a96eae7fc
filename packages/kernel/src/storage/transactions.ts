/** Transactions of records: their locks and their retries. */

import { Context, Effect, Metric } from "effect"
import { transactionEscalations } from "../observability/transactionMetrics.ts"
import { CurrentTransaction, concealConflict, escalate, type LockedRun } from "./currentTransaction.ts"
import { makeHostTransactions } from "./hostTransactions.ts"
import { heldLocks, type Lock } from "./Lock.ts"
import type { ReadError, RecordsAdapter } from "./RecordsAdapter.ts"
import { isConflict, retryConflicts } from "./retryConflicts.ts"
import type { StorageUnavailable } from "./StorageError.ts"
import { makeNested } from "./savepoints.ts"
import { type ChangeRecording, makeAttempts } from "./transactionAttempts.ts"
import { makeRecorded, withinTransaction } from "./withinTransaction.ts"

/** Creates the methods of `Records` that run transactions, and `recorded`, which records the changes of a write. */
export const makeTransactions = (
  adapter: RecordsAdapter["Service"],
  recording: ChangeRecording | undefined
) => {
  const attempts = makeAttempts(adapter, recording)
  const { inTransaction, outermost, serializable, withAfterwards } = attempts
  const nested = makeNested(adapter, inTransaction)

  return {
    /**
     * Runs the effect as one serializable transaction: all of its writes are committed, or none. A transaction that
     * conflicts with another is retried from its start, up to 30 times, then it fails with `StorageUnavailable` and the
     * reason `Contention`. Effects besides reads and writes of records must therefore be idempotent.
     *
     * A nested transaction is a savepoint: if it fails, the outer one can handle the error and continue.
     */
    transaction: <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageUnavailable, R> =>
      Effect.withFiber((fiber): Effect.Effect<A, E | StorageUnavailable, R> => {
        const outer = Context.getOrUndefined(fiber.context, CurrentTransaction)
        if (outer === undefined) {
          return withAfterwards((afterwards) => retryConflicts(serializable(self, afterwards)))
        }
        return outer.locked === undefined && outer.joined === undefined
          ? concealConflict(nested(outer, self))
          : escalate(outer)
      }),

    /**
     * Runs the effect as one transaction that acquires locks first, and waits for other transactions that hold them
     * instead of conflicting with them. The locks must cover everything that it reads and writes: see `Table.Locking`.
     * If a query is not covered, the transaction is rolled back and runs again as `transaction`.
     *
     * Within another transaction, it is a savepoint. If the outer one is locked and does not hold these locks, the outer
     * one is rolled back and runs again as a serializable one.
     *
     * Transactions with the same `like` and the same locks begin with the same reads, which a store can execute together with the
     * acquisition of the locks.
     */
    lockedTransaction: <A, E, R>(
      locks: ReadonlyArray<Lock>,
      self: Effect.Effect<A, E, R>,
      like?: string
    ): Effect.Effect<A, E | StorageUnavailable, R> =>
      Effect.withFiber((fiber): Effect.Effect<A, E | StorageUnavailable, R> => {
        const outer = Context.getOrUndefined(fiber.context, CurrentTransaction)
        if (outer !== undefined) {
          if (outer.locked === undefined) return concealConflict(nested(outer, self, locks))
          if (outer.locked.held.include(locks)) return concealConflict(nested(outer, self))
          return outer.locked.host === undefined
            ? escalate(outer)
            : concealConflict(nested(outer, self, locks))
        }
        let isEscalated = false
        const escalateNext = () => {
          isEscalated = true
        }
        const runLocked = (afterwards: Array<Effect.Effect<void>>): Effect.Effect<A, E | ReadError, R> =>
          outermost(afterwards, ({ afterwards, end }) => {
            const run = (locked: LockedRun | undefined) => inTransaction(self, locked, afterwards, end)
            return (
              adapter.lockedTransaction?.(
                locks,
                (names) => run({ held: heldLocks(locks, names), escalate: escalateNext }),
                like
              ) ?? adapter.transaction(run(undefined))
            )
          })
        const runEscalated = (afterwards: Array<Effect.Effect<void>>): Effect.Effect<A, E | ReadError, R> =>
          Effect.andThen(Metric.update(transactionEscalations, 1), serializable(self, afterwards))
        return withAfterwards((afterwards) =>
          retryConflicts(
            Effect.suspend(() =>
              isEscalated
                ? serializable(self, afterwards)
                : Effect.catch(runLocked(afterwards), (error) =>
                    isEscalated && isConflict(error) ? runEscalated(afterwards) : Effect.fail(error)
                  )
            )
          )
        )
      }),

    ...makeHostTransactions(adapter, recording, attempts, nested),
    ...withinTransaction,
    recorded: makeRecorded(adapter, attempts)
  }
}
