/** Counts what is asked of a store: each verb is one statement, and so one way to the database and back. */
import { RecordsAdapter } from "@lectern/core"
import { Effect, Layer } from "effect"

/** A store that counts, and its count since it was last asked. */
export interface CountingStorage {
  readonly layer: Layer.Layer<RecordsAdapter, unknown>
  /** The verbs since the last call, in their order. */
  readonly take: () => ReadonlyArray<string>
}

/** Counts what is asked of a store. `transaction` counts as one verb: its two statements go with the first and last. */
export const countingStorage = (storage: Layer.Layer<RecordsAdapter, unknown>): CountingStorage => {
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
        count: counted("count", adapter.count),
        countBy: counted("countBy", adapter.countBy),
        search: counted("search", adapter.search),
        snapshot: Effect.suspend(counted("snapshot", () => adapter.snapshot)),
        insert: counted("insert", adapter.insert),
        insertMissing: counted("insertMissing", adapter.insertMissing),
        update: counted("update", adapter.update),
        remove: counted("remove", adapter.remove),
        next: counted("next", adapter.next)
      })
    })
  ).pipe(Layer.provide(storage))
  return {
    layer,
    take: () => {
      const taken = verbs
      verbs = []
      return taken
    }
  }
}
