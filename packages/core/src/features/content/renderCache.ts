/** Caches presented content in memory. */
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import type { Page } from "../../model/content/Page.ts"

/**
 * The maximum number of pages in a cache, over all contents. A page takes about 5 kB with its JSON, so this is about 60 MB.
 * Under steady writes the cache fills with revisions that are no longer read.
 */
const maximumCachedPages = 12_500

/** The number of pages in a tree. */
const countPages = (pages: ReadonlyArray<Page>): number =>
  pages.reduce((count, page) => count + 1 + ("pages" in page ? countPages(page.pages) : 0), 0)

/**
 * Creates a function that returns the cached value for `sources`, or computes and caches it. `sources` must be JSON
 * that determines the value. Values are frozen, so that callers can cache by identity.
 */
export const makeRenderCache = () => {
  const cache = new LRUCache<string, object>({ maxSize: maximumCachedPages })
  return Effect.fnUntraced(function* <A extends { readonly pages: ReadonlyArray<Page> }, E>(
    sources: ReadonlyArray<unknown>,
    compute: Effect.Effect<A, E>
  ): Effect.fn.Return<A, E> {
    const key = JSON.stringify(sources)
    const hit = cache.get(key)
    if (hit !== undefined) return hit as A
    const value = Object.freeze(yield* compute)
    // A larger content evicts all others.
    cache.set(key, value, { size: Math.min(maximumCachedPages, 1 + countPages(value.pages)) })
    return value
  })
}
