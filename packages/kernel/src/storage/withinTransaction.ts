/** Writes and effects that belong to the transaction of the fiber. */

import { Context, Effect } from "effect"
import { CurrentTransaction, escalate, failWithConflict } from "./currentTransaction.ts"
import { HostTransactionError } from "./HostConnection.ts"
import { lockName } from "./Lock.ts"
import type { RecordsAdapter, WriteError } from "./RecordsAdapter.ts"
import { CurrentCause } from "./ResourceEvents.ts"
import type { RowChange } from "./recordChanges.ts"
import type { AnyTable, Row } from "./Table.ts"
import { plainRow } from "./TableStore.ts"
import type { Attempts } from "./transactionAttempts.ts"

/** Creates the function that runs a write and records its changes: in the transaction of the fiber, or in one of its own. */
export const makeRecorded =
  (adapter: RecordsAdapter["Service"], { inTransaction, outermost }: Attempts) =>
  <A>(
    write: (add: (change: Omit<RowChange, "cause">) => void) => Effect.Effect<A, WriteError>
  ): Effect.Effect<A, WriteError> =>
    Effect.withFiber((fiber) => {
      const { changes } = Context.getOrUndefined(fiber.context, CurrentTransaction) ?? {}
      if (changes === undefined) {
        return outermost([], ({ afterwards, end }) =>
          adapter.transaction(
            inTransaction(
              Effect.withFiber((inner) => {
                const transaction = Context.getOrUndefined(inner.context, CurrentTransaction)!
                return write((change) => transaction.changes.push({ ...change, cause: undefined }))
              }),
              undefined,
              afterwards,
              end
            )
          )
        )
      }
      const cause = fiber.getRef(CurrentCause)
      return write((change) => changes.push({ ...change, cause }))
    })

/** The methods of `Records` for effects within a transaction. */
export const withinTransaction = {
  /**
   * Inserts rows before the transaction of the fiber commits, together with the rows that others defer. They are not
   * inserted if the transaction is rolled back. The locks of the transaction must cover the table.
   */
  deferInsert: <T extends AnyTable>(table: T, rows: ReadonlyArray<Row<T>>): Effect.Effect<void> =>
    Effect.withFiber((fiber) => {
      const transaction = Context.getOrUndefined(fiber.context, CurrentTransaction)
      if (transaction === undefined) return Effect.die(new Error("A row was deferred outside a transaction."))
      for (const row of rows) transaction.deferred.push({ table, row: plainRow(row) })
      return Effect.void
    }),

  /**
   * Runs an effect after the outermost transaction of the fiber has ended, whether it was committed or rolled back; or
   * now, outside of a transaction. If the transaction is retried, only what its last attempt has added runs.
   */
  afterTransaction: (effect: Effect.Effect<void>): Effect.Effect<void> =>
    Effect.withFiber((fiber) => {
      const transaction = Context.getOrUndefined(fiber.context, CurrentTransaction)
      if (transaction === undefined) return effect
      transaction.afterwards.push(effect)
      return Effect.void
    }),

  /** Escalates the current transaction if it is locked and does not hold a lock on the resource with this name. */
  requireLocked: (name: string): Effect.Effect<void> =>
    Effect.withFiber((fiber) => {
      const transaction = Context.getOrUndefined(fiber.context, CurrentTransaction)
      if (transaction?.locked === undefined) return Effect.void
      const { held, host } = transaction.locked
      if (host?.names?.has(name) === false && name.startsWith(lockName(host.kind, ""))) {
        return Effect.die(HostTransactionError.organizationNotNamed(name))
      }
      if (held.hasResource(name)) return Effect.void
      return transaction.joined === undefined ? escalate(transaction) : failWithConflict(transaction)
    })
}
