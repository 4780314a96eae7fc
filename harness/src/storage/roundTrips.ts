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
  const travelling = <A, E, R>(verb: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
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
        createTables: adapter.createTables,
        find: (...args) => travelling(adapter.find(...args)),
        count: (...args) => travelling(adapter.count(...args)),
        countBy: (...args) => travelling(adapter.countBy(...args)),
        search: (...args) => travelling(adapter.search(...args)),
        snapshot: travelling(adapter.snapshot),
        insert: (...args) => travelling(adapter.insert(...args)),
        insertMissing: (...args) => travelling(adapter.insertMissing(...args)),
        update: (...args) => travelling(adapter.update(...args)),
        remove: (...args) => travelling(adapter.remove(...args)),
        next: (...args) => travelling(adapter.next(...args))
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
