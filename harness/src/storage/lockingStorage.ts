/** Adds locked transactions to a store in memory, and records which transactions run. */
import { type Lock, lockName, RecordsAdapter, StorageUnavailable } from "@lectern/core"
import { Context, Effect, Layer } from "effect"

/** A transaction that a store has run. */
export type RecordedTransaction =
  | { readonly isolation: "locked"; readonly locks: ReadonlyArray<Lock> }
  | { readonly isolation: "serializable" }

/** A store that records its transactions. */
export interface LockingStorage {
  /** The store. */
  readonly layer: Layer.Layer<RecordsAdapter, unknown>
  /** Returns the outermost transactions since the last call, in order. */
  readonly takeTransactions: () => ReadonlyArray<RecordedTransaction>
}

/** Whether the fiber is in a transaction of the store. */
const InTransaction = Context.Reference<boolean>("@lectern/harness/InTransaction", {
  defaultValue: () => false
})

/**
 * Wraps a store whose transactions run one after the other, such as `MemoryStorage`. A transaction whose locks do not cover
 * its queries is recorded twice: as locked, and as the serializable one that replaces it.
 */
export const makeLockingStorage = (storage: Layer.Layer<RecordsAdapter, unknown>): LockingStorage => {
  let transactions: Array<RecordedTransaction> = []
  const layer = Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (adapter) => {
      const nameOf = Effect.fnUntraced(function* (lock: Lock) {
        if (!("row" in lock)) return [lockName(lock.kind, lock.id)]
        const { table, key, id, column } = lock.row
        const rows = yield* adapter.find(table, {
          where: { op: "eq", column: key, value: id },
          orderBy: table.key,
          direction: "asc"
        })
        return rows.map((row) => lockName(lock.kind, String(row[column])))
      })
      const recorded = <A, E, R>(transaction: RecordedTransaction, self: Effect.Effect<A, E, R>) =>
        Effect.flatMap(InTransaction, (isNested) => {
          if (!isNested) transactions.push(transaction)
          return adapter.transaction(Effect.provideService(self, InTransaction, true))
        })
      return RecordsAdapter.of({
        ...adapter,
        transaction: (self) => recorded({ isolation: "serializable" }, self),
        lockedTransaction: (locks, self) =>
          recorded(
            { isolation: "locked", locks },
            Effect.flatMap(
              Effect.mapError(
                Effect.forEach(locks, nameOf),
                () => new StorageUnavailable({ reason: "Unreachable", detail: "A lock was not found." })
              ),
              (names) => self(new Set(names.flat()))
            )
          )
      })
    })
  ).pipe(Layer.provide(storage))
  return {
    layer,
    takeTransactions: () => {
      const taken = transactions
      transactions = []
      return taken
    }
  }
}
