/** Counts the ways to the database and back: verbs that are asked for together go there together. */
import { RecordsAdapter } from "@lectern/core"
import { Effect, Layer } from "effect"

/** A store that counts, and its count since it was last asked. */
export interface RoundTrips {
  readonly layer: Layer.Layer<RecordsAdapter, unknown>
  /** How many ways there were since the last call. */
  readonly take: () => number
}

/**
 * Makes a store behave as one over a network does: an answer takes a while, and what is asked for meanwhile goes the
 * same way. `RecordsAdapter.concurrency` is `unbounded` for it.
 */
export const roundTrips = (storage: Layer.Layer<RecordsAdapter, unknown>): RoundTrips => {
  let trips = 0
  let onTheWay = 0
  const traveling = <A, E, R>(verb: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      if (onTheWay++ === 0) trips++
      return Effect.andThen(
        Effect.promise(() => new Promise((resolve) => setImmediate(resolve))),
        verb
      )
    }).pipe(Effect.ensuring(Effect.sync(() => onTheWay--)))
  const layer = Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (adapter) =>
      RecordsAdapter.of({
        concurrency: "unbounded",
        transaction: adapter.transaction,
        find: (...args) => traveling(adapter.find(...args)),
        count: (...args) => traveling(adapter.count(...args)),
        countBy: (...args) => traveling(adapter.countBy(...args)),
        search: (...args) => traveling(adapter.search(...args)),
        snapshot: traveling(adapter.snapshot),
        insert: (...args) => traveling(adapter.insert(...args)),
        insertMissing: (...args) => traveling(adapter.insertMissing(...args)),
        update: (...args) => traveling(adapter.update(...args)),
        remove: (...args) => traveling(adapter.remove(...args)),
        next: (...args) => traveling(adapter.next(...args))
      })
    )
  ).pipe(Layer.provide(storage))
  return {
    layer,
    take: () => {
      const taken = trips
      trips = 0
      return taken
    }
  }
}
