/**
 * A cache of rows that every request reads, such as its token and its membership. All entries are dropped by the next commit
 * of any process, so that a request that starts after a revocation commits is never served from the state before it.
 */
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import type { Records } from "./Records.ts"

/**
 * Creates a cache of at most `max` values. A lookup names in `key` everything that the value depends on in addition to the
 * store; a value that depends on the time must not be cached. Values are shared between requests and never changed. In a
 * transaction, and on stores without `RecordsAdapter.version`, nothing is cached.
 */
export const makeVersionedCache = (records: Records["Service"], max: number) => {
  const entries = new LRUCache<string, object>({ max })
  let cachedVersion: number | undefined

  return <A extends object | undefined, E, R>(
    key: string,
    read: () => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => {
      const version = records.version(fiber)
      if (version === undefined) return read()
      if (version !== cachedVersion) {
        entries.clear()
        cachedVersion = version
      }
      const cached = entries.get(key)
      if (cached !== undefined) return Effect.succeed(cached as A)
      return Effect.map(read(), (value) => {
        // After a commit, the value can be older than the version that lookups compare with by now.
        if (value !== undefined && cachedVersion === version) entries.set(key, value)
        return value
      })
    })
}
