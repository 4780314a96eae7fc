/** Reads blobs through caches of decoded values. */
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import { cacheCountsOf } from "../observability/cacheCounts.ts"
import type { BlobHash } from "./Blobs.ts"
import type { StorageUnavailable } from "./StorageError.ts"

/**
 * A cache of values that are decoded from blobs. It needs no invalidation, because a hash always names the same bytes.
 */
export interface BlobReader<A> {
  /** Returns the cached value at a hash, without a query, or `undefined`. */
  readonly peek: (hash: BlobHash) => A | undefined
  /** Caches a value that was just encoded as `bytes`, because it is likely to be read soon. */
  readonly put: (hash: BlobHash, value: A, bytes: Uint8Array) => void
  /** Returns the value at a hash. Dies if the bytes are missing: every stored hash refers to stored bytes. */
  readonly get: (hash: BlobHash) => Effect.Effect<A, StorageUnavailable>
  /** Returns the values at the hashes, in their order, with at most one query. */
  readonly getMany: (hashes: ReadonlyArray<BlobHash>) => Effect.Effect<ReadonlyArray<A>, StorageUnavailable>
}

/** Finds the bytes of blobs by their hashes. Blobs that do not exist are absent. */
export type FindBlobs = (
  hashes: ReadonlyArray<BlobHash>
) => Effect.Effect<ReadonlyMap<BlobHash, Uint8Array>, StorageUnavailable>

/** Creates the cache of `Blobs.reader` over a query of blobs. */
export const makeBlobReader = <A extends {}>(
  find: FindBlobs,
  name: string,
  decode: (bytes: Uint8Array) => A,
  maximumBytes: number
): BlobReader<A> => {
  const counts = cacheCountsOf(name)
  const cache = new LRUCache<BlobHash, A>({ maxSize: maximumBytes, maxEntrySize: maximumBytes >> 3 })
  const cacheValue = (hash: BlobHash, value: A, bytes: Uint8Array): void => {
    cache.set(hash, value, { size: bytes.length + 1 })
  }
  const getMany = Effect.fnUntraced(function* (hashes: ReadonlyArray<BlobHash>) {
    // Cached values are read before the query: its results may evict them.
    const all = new Map<BlobHash, A>()
    const missing = new Set<BlobHash>()
    for (const hash of hashes) {
      const value = cache.get(hash)
      if (value === undefined) missing.add(hash)
      else all.set(hash, value)
    }
    counts.hits += all.size
    counts.misses += missing.size
    for (const [hash, bytes] of yield* find([...missing])) {
      const value = decode(bytes)
      all.set(hash, value)
      cacheValue(hash, value, bytes)
    }
    const values: Array<A> = []
    for (const hash of hashes) {
      const value = all.get(hash)
      if (value === undefined) return yield* Effect.die(new Error(`The blob ${hash} is missing.`))
      values.push(value)
    }
    return values
  })
  return {
    peek: (hash) => {
      const value = cache.get(hash)
      // After a miss, `get` counts the lookup.
      if (value !== undefined) counts.hits++
      return value
    },
    put: cacheValue,
    get: (hash) => {
      const value = cache.get(hash)
      if (value === undefined) return Effect.map(getMany([hash]), (values) => values[0]!)
      counts.hits++
      return Effect.succeed(value)
    },
    getMany
  }
}
