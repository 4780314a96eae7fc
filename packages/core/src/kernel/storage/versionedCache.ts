/**
 * A cache of rows that every request reads, such as its token and its membership. All entries are dropped by the next commit
 * of any process, so that a request that starts after a revocation commits is never served from the state before it.
 */
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import { cacheCountsOf } from "../observability/cacheCounts.ts"
import type { Records } from "./Records.ts"

/**
 * Creates a cache of values that together have at most `maximumSize`, in the unit of `sizeOf`; each has 1 by default. A lookup
 * names in `key` everything that the value depends on in addition to the store; a value that depends on the time must not be
 * cached. Values are frozen, so that callers cache their serialized form by identity. In a transaction, and on stores without
 * `RecordsAdapter.version`, nothing is cached. Metrics count lookups under `name`.
 */
export const makeVersionedCache = <A extends object>(
  records: Records["Service"],
  name: string,
  maximumSize: number,
  sizeOf: (value: A) => number = () => 1
) => {
  const entries = new LRUCache<string, A>({ maxSize: maximumSize })
  const counts = cacheCountsOf(name)
  let cachedVersion: number | undefined

  return <B extends A | undefined, E, R>(
    key: string,
    read: () => Effect.Effect<B, E, R>
  ): Effect.Effect<B, E, R> =>
    Effect.withFiber((fiber) => {
      const version = records.version(fiber)
      if (version === undefined) return read()
      if (version !== cachedVersion) {
        entries.clear()
        cachedVersion = version
      }
      const cached = entries.get(key)
      if (cached !== undefined) {
        counts.hits++
        return Effect.succeed(cached as B)
      }
      counts.misses++
      return Effect.map(read(), (value) => {
        // After a commit, the value can be older than the version that lookups compare with by now.
        if (value !== undefined && cachedVersion === version) {
          entries.set(key, Object.freeze(value), { size: sizeOf(value) })
        }
        return value
      })
    })
}
