/**
 * A cache of values that are computed from rows. A lookup in a request that starts after a commit never returns a value that the
 * commit has changed, in any process: see `cacheVersions.ts`. Other commits invalidate nothing.
 */
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import { cacheCountsOf } from "../observability/cacheCounts.ts"
import { addScopes, collectScopes } from "./cacheVersions.ts"
import type { Records } from "./Records.ts"
import type { StorageUnavailable } from "./StorageError.ts"

interface Entry<A> {
  readonly value: A
  /** The number of the state that it was computed in. */
  readonly at: number
  readonly scopes: ReadonlyArray<string>
}

/** The properties of a lookup. */
export interface Lookup<A> {
  /** Everything that the value depends on in addition to the store. A value that depends on the time must not be cached. */
  readonly key: string
  /** The scopes of the rows that a value was computed from, besides the scopes of cached values that it contains. */
  readonly scopes: (value: A) => ReadonlyArray<string>
}

/**
 * Creates a cache of values that together have at most `maximumSize`, in the unit of `sizeOf`; each has 1 by default. Undefined
 * is not cached. Values are frozen, so that callers cache their serialized form by identity. In a transaction, nothing is
 * cached. Metrics count lookups under `name`. On a store without versions, values are cached only with `bySnapshot`, which is for
 * values that take more than a query: any commit invalidates them then.
 */
export const makeVersionedCache = <A extends object>(
  records: Records["Service"],
  name: string,
  maximumSize: number,
  {
    sizeOf = () => 1,
    bySnapshot = false
  }: { readonly sizeOf?: (value: A) => number; readonly bySnapshot?: boolean } = {}
) => {
  const entries = new LRUCache<string, Entry<A>>({ maxSize: maximumSize })
  const counts = cacheCountsOf(name)
  const versions = records.cacheVersions

  return <B extends A | undefined, E, R>(
    { key, scopes }: Lookup<NonNullable<B>>,
    read: () => Effect.Effect<B, E, R>
  ): Effect.Effect<B, E | StorageUnavailable, R> =>
    Effect.withFiber((fiber): Effect.Effect<B, E | StorageUnavailable, R> => {
      const lookup = (at: number): Effect.Effect<B, E, R> => {
        const entry = entries.get(key)
        if (entry !== undefined && versions.isValid(entry.at, entry.scopes)) {
          counts.hits++
          addScopes(fiber, entry.scopes)
          return Effect.succeed(entry.value as B)
        }
        counts.misses++
        const collected = new Set<string>()
        return Effect.map(collectScopes(collected, Effect.suspend(read)), (value) => {
          if (value === undefined) return value
          const all = [...new Set([...scopes(value as NonNullable<B>), ...collected])]
          addScopes(fiber, all)
          entries.set(key, { value: Object.freeze(value), at, scopes: all }, { size: sizeOf(value) })
          return value
        })
      }
      const current = versions.current(fiber, bySnapshot)
      if (current === undefined) return Effect.suspend(read)
      return typeof current === "number" ? lookup(current) : Effect.flatMap(current, lookup)
    })
}
