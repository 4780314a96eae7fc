/** Opens a store without versions, so that workspaces read every row for each request. */
import { RecordsAdapter } from "@lectern/core"
import { Effect, Layer } from "effect"

/** Returns the store without the versions and snapshots that caches compare. */
export const uncachedStorage = (
  storage: Layer.Layer<RecordsAdapter, unknown>
): Layer.Layer<RecordsAdapter, unknown> =>
  Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (adapter) => {
      let count = 0
      return RecordsAdapter.of({
        ...adapter,
        version: undefined,
        raisedVersions: undefined,
        snapshot: Effect.sync(() => String(++count))
      })
    })
  ).pipe(Layer.provide(storage))
