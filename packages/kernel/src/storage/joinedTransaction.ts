/** Commands in transactions that hosts have begun: their savepoints, conflicts and effects after the commit. */
import { Effect } from "effect"
import {
  CurrentTransaction,
  type HostLocks,
  isFiberInTransaction,
  type JoinedState,
  type LockedRun
} from "./currentTransaction.ts"
import { HostTransactionError, IsInHostTransaction, type JoinedConnection } from "./HostConnection.ts"
import { heldLocks } from "./Lock.ts"
import type { ReadError } from "./RecordsAdapter.ts"
import { isConflict } from "./retryConflicts.ts"
import { type StorageConflict, StorageUnavailable } from "./StorageError.ts"

/** A transaction that the host has begun, and that commands have joined. */
export interface JoinedOperations {
  /**
   * Runs an operation in the transaction, as a savepoint. One that conflicts with another transaction is not retried: it fails with
   * `StorageUnavailable` and the reason `Contention`.
   */
  readonly run: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageUnavailable, R>
  /** Announces the commit of the transaction, so that events are delivered and jobs run without waiting for the next poll. */
  readonly committed: Effect.Effect<void>
}

/** The locks of a command of a joined transaction before it acquires its own. */
export const withoutLocks = (host: HostLocks): LockedRun => ({
  held: heldLocks([], new Set()),
  host,
  // It cannot run again.
  escalate: () => {}
})

const conflicted = (): StorageUnavailable =>
  new StorageUnavailable({
    reason: "Contention",
    detail:
      "The command conflicted with another transaction, and its changes were rolled back. Roll back the transaction, and run it again."
  })

/** Replaces a conflict by the error that its caller receives, because it is not retried. */
export const mapConflict = <A, E, R>(
  self: Effect.Effect<A, E | StorageConflict, R>
): Effect.Effect<A, E | StorageUnavailable, R> =>
  Effect.mapError(self, (error) => (isConflict(error) ? conflicted() : error))

/** Creates {@link JoinedOperations.run}. `inTransaction` runs an operation with a transaction of the fiber. */
export const runJoined =
  (
    { savepoint }: JoinedConnection,
    inTransaction: <A, E, R>(
      self: Effect.Effect<A, E, R>,
      afterwards: Array<Effect.Effect<void>>
    ) => Effect.Effect<A, E | ReadError, Exclude<R, CurrentTransaction>>
  ): JoinedOperations["run"] =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.withFiber((fiber): Effect.Effect<A, E | StorageUnavailable, R> => {
      if (isFiberInTransaction(fiber)) return Effect.die(HostTransactionError.nested())
      const afterwards: Array<Effect.Effect<void>> = []
      let transaction: CurrentTransaction["Service"] | undefined
      const operation = Effect.andThen(
        Effect.map(CurrentTransaction, (current) => {
          transaction = current
        }),
        Effect.provideService(self, IsInHostTransaction, true)
      )
      return savepoint(inTransaction(operation, afterwards)).pipe(
        // An operation can replace the error of a query by one of its own.
        Effect.mapError((error) => (isConflict(transaction?.failed) ? conflicted() : error)),
        mapConflict,
        // They use other connections, for which the operation must not wait: the host holds one.
        Effect.onExit(() =>
          Effect.forEach(afterwards, (effect) => Effect.forkDetach(effect), { discard: true })
        )
      )
    })

/** Runs what follows the commit of a joined transaction: the delivery of its events, and the signal for workers. */
export const announceCommit = (
  { hasEvents, isWaking }: JoinedState,
  deliver: Effect.Effect<void> | undefined,
  wake: Effect.Effect<void> | undefined
): Effect.Effect<void> =>
  Effect.andThen(
    hasEvents && deliver !== undefined ? deliver : Effect.void,
    isWaking && wake !== undefined ? wake : Effect.void
  )
