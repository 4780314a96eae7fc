/** Nested transactions, which are savepoints. */

import { Effect } from "effect"
import type { CurrentTransaction, LockedRun } from "./currentTransaction.ts"
import { acquireInHost } from "./hostTransaction.ts"
import { withoutLocks } from "./joinedTransaction.ts"
import type { Lock } from "./Lock.ts"
import type { ReadError, RecordsAdapter } from "./RecordsAdapter.ts"
import { isConflict } from "./retryConflicts.ts"
import type { Attempts } from "./transactionAttempts.ts"

/** Runs effects as savepoints. */
export type RunNested = ReturnType<typeof makeNested>

/** Creates the function that runs an effect as a savepoint of an outer transaction. */
export const makeNested =
  (adapter: RecordsAdapter["Service"], inTransaction: Attempts["inTransaction"]) =>
  /**
   * Runs the effect as a savepoint, which acquires further locks in a transaction of a host: all of them in one that it has begun
   * itself. A conflict rolls back the outer transaction as well.
   */
  <A, E, R>(
    outer: CurrentTransaction["Service"],
    self: Effect.Effect<A, E, R>,
    locks: ReadonlyArray<Lock> = []
  ): Effect.Effect<A, E | ReadError, R> =>
    Effect.suspend(() => {
      let ended: CurrentTransaction["Service"] | undefined
      const run = (locked: LockedRun | undefined) =>
        inTransaction(
          self,
          locked,
          outer.afterwards,
          (transaction) => {
            ended = transaction
            return undefined
          },
          outer.joined
        )
      const isCommandOfJoined = outer.locked === undefined && outer.joined !== undefined
      const locked = isCommandOfJoined ? withoutLocks(outer.joined.host) : outer.locked
      const savepoint =
        locked?.host === undefined || (locks.length === 0 && !isCommandOfJoined)
          ? run(locked)
          : Effect.flatMap(acquireInHost(adapter, locked.host, locks), (names) =>
              run({ ...locked, held: locked.held.and(locks, names) })
            )
      return adapter.transaction(savepoint).pipe(
        // Only now is the savepoint released: until then, its changes can be rolled back.
        Effect.tap(() =>
          Effect.sync(() => {
            outer.changes.push(...(ended?.changes ?? []))
            outer.deferred.push(...(ended?.deferred ?? []))
          })
        ),
        Effect.tapError((error) =>
          Effect.sync(() => {
            if (isConflict(error)) outer.failed = error
          })
        )
      )
    })
