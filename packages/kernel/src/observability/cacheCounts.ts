/** Counts the lookups of caches in memory, of all workspaces of the process. */

/** The lookups of the caches with one name. */
export interface CacheCounts {
  /** Lookups that found a valid value. */
  hits: number
  /** Lookups after which the value was read or computed. */
  misses: number
}

const countsByCache = new Map<string, CacheCounts>()

/** Returns the counts of the caches with this name, which their lookups increment. */
export const cacheCountsOf = (cache: string): CacheCounts => {
  let counts = countsByCache.get(cache)
  if (counts === undefined) {
    counts = { hits: 0, misses: 0 }
    countsByCache.set(cache, counts)
  }
  return counts
}

/** Returns the counts of all caches that were created, by name. */
export const readCacheCounts = (): ReadonlyMap<string, Readonly<CacheCounts>> => countsByCache
