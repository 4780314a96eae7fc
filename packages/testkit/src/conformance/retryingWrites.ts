/**
 * Retries writes that conflict. A write outside a transaction is a transaction of its own, so it may fail with
 * `StorageConflict` although no other transaction writes to the tested rows: databases with optimistic concurrency
 * control report false positives, more of them under load.
 */
import { RecordsAdapter, StorageConflict } from "@lectern/core"
import { Context, Effect, Layer, Schedule } from "effect"

const retrySchedule = Schedule.exponential("2 millis").pipe(Schedule.upTo({ times: 10 }))

/** Whether the fiber is in a transaction, which only its owner can retry as a whole. */
const InTransaction = Context.Reference<boolean>("@lectern/testkit/InTransaction", {
  defaultValue: () => false
})

const withRetries = <A, E, R>(write: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(InTransaction, (isInTransaction) =>
    isInTransaction
      ? write
      : Effect.retry(write, { schedule: retrySchedule, while: (error) => error instanceof StorageConflict })
  )

/** Returns the store with each write outside a transaction retried on conflict, up to 10 times. */
export const retryingWrites = <E>(storage: Layer.Layer<RecordsAdapter, E>): Layer.Layer<RecordsAdapter, E> =>
  Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (store) =>
      RecordsAdapter.of({
        ...store,
        insert: (...args) => withRetries(store.insert(...args)),
        insertMissing: (...args) => withRetries(store.insertMissing(...args)),
        update: (...args) => withRetries(store.update(...args)),
        remove: (...args) => withRetries(store.remove(...args)),
        next: (...args) => withRetries(store.next(...args)),
        claim: (...args) => withRetries(store.claim(...args)),
        transaction: (self) => store.transaction(Effect.provideService(self, InTransaction, true)),
        ...(store.lockedTransaction === undefined
          ? {}
          : {
              lockedTransaction: (locks, self) =>
                store.lockedTransaction!(locks, (names) =>
                  Effect.provideService(self(names), InTransaction, true)
                )
            })
      })
    )
  ).pipe(Layer.provide(storage))
