/** Transactions of hosts, which include statements of their own. */

import { Context, Effect } from "effect"
import { CurrentTransaction, type HostLocks, type JoinedState } from "./currentTransaction.ts"
import { type HostConnection, HostTransactionError, type JoinableTransaction } from "./HostConnection.ts"
import { runHostBody } from "./hostTransaction.ts"
import { announceCommit, type JoinedOperations, mapConflict, runJoined } from "./joinedTransaction.ts"
import { heldLocks, type Lock } from "./Lock.ts"
import type { RecordsAdapter } from "./RecordsAdapter.ts"
import type { RowChange } from "./recordChanges.ts"
import { retryConflicts } from "./retryConflicts.ts"
import type { StorageUnavailable } from "./StorageError.ts"
import type { RunNested } from "./savepoints.ts"
import type { Attempts, ChangeRecording, Outermost } from "./transactionAttempts.ts"

/** Creates the methods of `Records` that run transactions of hosts. */
export const makeHostTransactions = (
  adapter: RecordsAdapter["Service"],
  recording: ChangeRecording | undefined,
  { inTransaction, endOutermost, outermost, serializable, withAfterwards }: Attempts,
  nested: RunNested
) => ({
  /**
   * Runs a body of the host as one transaction with its own statements on the connection, which is undefined if the store has
   * no connection to share. It holds exclusive locks on the resources that `names` identifies, and never runs as a serializable
   * one instead: a command that they do not cover is a defect. Without `locks`, it is serializable, and covers every command.
   *
   * The body is a savepoint, so that a transaction that the host has ended is not committed as if it were complete.
   */
  hostTransaction: <A, E, R>(
    limits: { readonly locks: ReadonlyArray<Lock>; readonly host: HostLocks } | undefined,
    body: (connection: HostConnection | undefined) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | StorageUnavailable, R> =>
    Effect.withFiber((fiber): Effect.Effect<A, E | StorageUnavailable, R> => {
      if (Context.getOrUndefined(fiber.context, CurrentTransaction) !== undefined) {
        return Effect.die(HostTransactionError.nested())
      }
      const whole = Effect.withFiber((inner) =>
        nested(
          Context.getUnsafe(inner.context, CurrentTransaction),
          Effect.flatMap(adapter.hostConnection ?? Effect.undefined, (connection) =>
            runHostBody(connection, body)
          )
        )
      )
      if (limits === undefined) {
        return withAfterwards((afterwards) => retryConflicts(serializable(whole, afterwards)))
      }
      const { locks, host } = limits
      const held = heldLocks(locks, host.names ?? new Set())
      const run = ({ afterwards, end }: Outermost) =>
        inTransaction(whole, { held, host, escalate: () => {} }, afterwards, end)
      const attempt = (outer: Outermost) =>
        adapter.lockedTransaction?.(locks, () => run(outer)) ?? adapter.transaction(run(outer))
      return withAfterwards((afterwards) => retryConflicts(outermost(afterwards, attempt)))
    }),

  /**
   * Joins a transaction that the host has begun, within the limits of `host`. Dies with `HostTransactionError` unless it can be
   * joined: see `RecordsAdapter.joinTransaction`.
   */
  joinTransaction: (
    transaction: JoinableTransaction,
    host: HostLocks
  ): Effect.Effect<JoinedOperations, StorageUnavailable> =>
    Effect.suspend(() => {
      const join = adapter.joinTransaction?.(transaction)
      if (join === undefined) return Effect.die(HostTransactionError.noPool())
      const enter = adapter.acquireLocks?.([]) ?? Effect.void
      const joined: JoinedState = { host, enter, hasEvents: false, isWaking: false }
      const write =
        recording &&
        ((changes: ReadonlyArray<RowChange>) =>
          Effect.tap(recording.write(changes), (wrote) =>
            Effect.sync(() => {
              joined.hasEvents ||= wrote
            })
          ))
      return Effect.map(mapConflict(join), (connection) => ({
        run: runJoined(connection, (self, afterwards) =>
          inTransaction(self, undefined, afterwards, (ended) => endOutermost(ended, write), joined)
        ),
        committed: Effect.suspend(() => announceCommit(joined, recording?.committed, adapter.signals?.send))
      }))
    })
})
