/**
 * A cache of values that are derived only from the store, valid until the next commit. The snapshot that
 * reads see is part of each entry, so no writer has to invalidate anything, in this process or another. Under steady
 * writes every lookup misses.
 */
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import { cacheCountsOf } from "../observability/cacheCounts.ts"
import type { Records } from "./Records.ts"
import type { StorageUnavailable } from "./StorageError.ts"

/**
 * Creates a cache whose entries together have at most `maxSize`, in the unit of `sizeOf`. A lookup names in `key`
 * everything that the value depends on in addition to the store; a value that depends on the time must not be cached.
 * Values are frozen, so that callers can cache their serialized form. Several lookups of one request share one
 * `readSnapshot`, which runs before anything that they compute. Metrics count lookups under `name`.
 */
export const snapshotCache = (records: Records["Service"], name: string, maxSize: number) => {
  const counts = cacheCountsOf(name)
  const entries = new LRUCache<string, { readonly snapshot: string; readonly value: object }>({ maxSize })

  return Effect.fnUntraced(function* <A extends object, E, R>(
    key: ReadonlyArray<unknown>,
    compute: Effect.Effect<A, E, R>,
    sizeOf: (value: A) => number,
    readSnapshot: Effect.Effect<string | undefined, StorageUnavailable> = records.snapshot
  ): Effect.fn.Return<A, E | StorageUnavailable, R> {
    // Read before anything else: a commit in the meantime makes this entry one that no later lookup accepts.
    const snapshot = yield* readSnapshot
    if (snapshot === undefined) return yield* compute
    const entry = JSON.stringify(key)
    const cached = entries.get(entry)
    if (cached?.snapshot === snapshot) {
      counts.hits++
      return cached.value as A
    }
    counts.misses++
    const value = Object.freeze(yield* compute)
    entries.set(entry, { snapshot, value }, { size: sizeOf(value) })
    return value
  })
}
