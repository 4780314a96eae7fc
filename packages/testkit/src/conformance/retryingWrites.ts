/**
 * A store whose writes are retried when they conflict. A write outside a transaction is a transaction of its own, so it
 * may fail with `StorageConflict` without any test being at fault: a database that serializes optimistically reports
 * conflicts that it only suspects, more of them the busier the server is.
 */
import { RecordsAdapter, StorageConflict } from "@lectern/core"
import { Context, Effect, Layer, Schedule } from "effect"

const attempts = Schedule.exponential("2 millis").pipe(Schedule.upTo({ times: 10 }))

/** Whether the fiber is in a transaction, which only its owner can retry as a whole. */
const InTransaction = Context.Reference<boolean>("@lectern/testkit/InTransaction", {
  defaultValue: () => false
})

const retried = <A, E, R>(write: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(InTransaction, (isInTransaction) =>
    isInTransaction
      ? write
      : Effect.retry(write, { schedule: attempts, while: (error) => error instanceof StorageConflict })
  )

/** Wraps the writes of a store. */
export const retryingWrites = <E>(storage: Layer.Layer<RecordsAdapter, E>): Layer.Layer<RecordsAdapter, E> =>
  Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (store) =>
      RecordsAdapter.of({
        ...store,
        insert: (...args) => retried(store.insert(...args)),
        insertMissing: (...args) => retried(store.insertMissing(...args)),
        update: (...args) => retried(store.update(...args)),
        remove: (...args) => retried(store.remove(...args)),
        next: (...args) => retried(store.next(...args)),
        transaction: (self) => store.transaction(Effect.provideService(self, InTransaction, true))
      })
    )
  ).pipe(Layer.provide(storage))
