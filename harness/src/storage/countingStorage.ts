/** Records the verbs that reach a store, each of which is one statement. */
import { RecordsAdapter } from "@lectern/core"
import { Effect, Layer } from "effect"

/** A store that records its verbs. */
export interface CountingStorage {
  /** The store. */
  readonly layer: Layer.Layer<RecordsAdapter, unknown>
  /** Returns the verbs since the last call, in order. */
  readonly takeVerbs: () => ReadonlyArray<string>
}

/**
 * Wraps a store, so that its verbs are recorded. Transactions are not: BEGIN and COMMIT need no round trips of their
 * own.
 */
export const makeCountingStorage = (storage: Layer.Layer<RecordsAdapter, unknown>): CountingStorage => {
  let verbs: Array<string> = []
  const layer = Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (adapter) => {
      const counted = <Args extends ReadonlyArray<never>, A>(name: string, verb: (...args: Args) => A) =>
        ((...args: Args) => {
          verbs.push(name)
          return verb(...args)
        }) as typeof verb
      return RecordsAdapter.of({
        ...adapter,
        find: counted("find", adapter.find),
        findBeforeEnd:
          adapter.findBeforeEnd &&
          ((...args) => {
            verbs.push("find")
            return adapter.findBeforeEnd!(...args)
          }),
        count: counted("count", adapter.count),
        countBy: counted("countBy", adapter.countBy),
        search: counted("search", adapter.search),
        snapshot: Effect.suspend(counted("snapshot", () => adapter.snapshot)),
        insert: counted("insert", adapter.insert),
        insertMissing: counted("insertMissing", adapter.insertMissing),
        update: counted("update", adapter.update),
        remove: counted("remove", adapter.remove),
        next: counted("next", adapter.next),
        claim: counted("claim", adapter.claim)
      })
    })
  ).pipe(Layer.provide(storage))
  return {
    layer,
    takeVerbs: () => {
      const taken = verbs
      verbs = []
      return taken
    }
  }
}
