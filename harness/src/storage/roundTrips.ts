/** Counts round trips to a database. Concurrent verbs share a round trip. */
import { RecordsAdapter } from "@lectern/core"
import { Effect, Layer } from "effect"

/** A store that counts round trips. */
export interface RoundTripCounter {
  /** The store. Its `concurrency` is `unbounded`. */
  readonly layer: Layer.Layer<RecordsAdapter, unknown>
  /** Returns the number of round trips since the last call. */
  readonly takeCount: () => number
}

/**
 * Wraps a store, so that it behaves like one over a network: a verb takes at least one event-loop tick, and
 * verbs that start while another is pending belong to the same round trip.
 */
export const countRoundTrips = (storage: Layer.Layer<RecordsAdapter, unknown>): RoundTripCounter => {
  let trips = 0
  let pending = 0
  const counted = <A, E, R>(verb: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      if (pending++ === 0) trips++
      return Effect.andThen(
        Effect.promise(() => new Promise((resolve) => setImmediate(resolve))),
        verb
      )
    }).pipe(Effect.ensuring(Effect.sync(() => pending--)))
  const layer = Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (adapter) =>
      RecordsAdapter.of({
        concurrency: "unbounded",
        transaction: adapter.transaction,
        createTables: adapter.createTables,
        find: (...args) => counted(adapter.find(...args)),
        count: (...args) => counted(adapter.count(...args)),
        countBy: (...args) => counted(adapter.countBy(...args)),
        search: (...args) => counted(adapter.search(...args)),
        snapshot: counted(adapter.snapshot),
        insert: (...args) => counted(adapter.insert(...args)),
        insertMissing: (...args) => counted(adapter.insertMissing(...args)),
        update: (...args) => counted(adapter.update(...args)),
        remove: (...args) => counted(adapter.remove(...args)),
        next: (...args) => counted(adapter.next(...args)),
        claim: (...args) => counted(adapter.claim(...args)),
        signals: adapter.signals,
        checkIntegrity: adapter.checkIntegrity,
        probe: counted(adapter.probe)
      })
    )
  ).pipe(Layer.provide(storage))
  return {
    layer,
    takeCount: () => {
      const taken = trips
      trips = 0
      return taken
    }
  }
}
