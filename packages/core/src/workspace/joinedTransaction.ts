/** Commands in a transaction that the host has begun in the database of the workspace. */

import {
  HostTransactionError,
  type JoinableTransaction,
  Records,
  type StorageUnavailable
} from "@lectern/kernel"
import { Effect, Semaphore } from "effect"
import { hostLockKinds } from "./hostTransaction.ts"

/** A transaction that the host has begun, for programs in Effect. */
export interface JoinedTransaction {
  /**
   * Runs an effect in the transaction, as a savepoint, after those before it. If it fails, it leaves nothing, and the transaction
   * continues.
   */
  readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageUnavailable, R>
  /**
   * Announces that the host has committed: events are delivered and jobs start immediately, instead of at the next poll. Operations
   * die afterwards.
   */
  readonly committed: Effect.Effect<void>
}

/**
 * Joins a transaction that the host has begun. Its commands acquire their locks when they start, and hold them until the host ends
 * the transaction. A command that conflicts with another transaction is not retried: it fails with `StorageUnavailable` and the
 * reason `Contention`.
 *
 * Dies with `HostTransactionError` and the reason `NotJoinable` if no transaction is open, or if it has failed, is read-only, or
 * is not `READ COMMITTED`; and with `NoConnection` if the workspace does not use a pool of the host.
 *
 * @example
 * const tx = yield* Workspace.joinTransaction(pgTransaction(client))
 * yield* tx.run(spaces.create({ organization, input: { title: "Guide" } })).pipe(CurrentUser.provide(user))
 */
export const joinTransaction = (
  transaction: JoinableTransaction
): Effect.Effect<JoinedTransaction, StorageUnavailable, Records> =>
  Effect.gen(function* () {
    const records = yield* Records
    const joined = yield* records.joinTransaction(transaction, hostLockKinds)
    let isOpen = true
    const turn = Semaphore.makeUnsafe(1)
    return {
      run: (effect) =>
        turn.withPermit(
          Effect.suspend(() => (isOpen ? joined.run(effect) : Effect.die(HostTransactionError.ended())))
        ),
      committed: Effect.suspend(() => {
        if (!isOpen) return Effect.void
        isOpen = false
        return joined.committed
      })
    }
  })
