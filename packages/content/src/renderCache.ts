/** Caches presented content in memory. */

import { cacheCountsOf, type Records, type StorageUnavailable } from "@lectern/kernel"
import type { Page, Revision } from "@lectern/model/content"
import { Deferred, Effect, Exit } from "effect"
import { LRUCache } from "lru-cache"

/** The estimated size of a page without its body, or of a file, presented and as JSON, in bytes. */
const bytesPerPage = 5_000

/** The estimated size of a document, per character of its Markdown, in bytes. */
const bytesPerCharacter = 12

/** The estimated size of a tree of pages without bodies, in bytes. */
export const sizeOfPages = (pages: ReadonlyArray<Page>): number =>
  pages.reduce((bytes, page) => bytes + bytesPerPage + ("pages" in page ? sizeOfPages(page.pages) : 0), 0)

/** The estimated size of a revision with its pages and files, in bytes. */
export const sizeOfRevision = ({ pages, files, reusableContents }: Revision): number =>
  sizeOfPages(pages) + (files.length + reusableContents.length) * bytesPerPage

/** The estimated size of a document and its JSON, in bytes. */
export const sizeOfDocument = (markdown: string): number => markdown.length * bytesPerCharacter

/** The estimated size of a page and its JSON, in bytes. */
export const sizeOfPage = (page: Page): number => bytesPerPage + JSON.stringify(page).length * 3

/** A cache of presented content. */
export interface RenderCache {
  /** Returns the cached value for a key, or undefined. */
  readonly peek: <A extends object>(key: ReadonlyArray<unknown>) => A | undefined
  /**
   * Returns the cached value for a key, or computes and caches it. `sizeOf` returns an estimate of its bytes, or undefined if
   * the value must not be cached.
   */
  readonly get: <A extends object, E>(
    key: ReadonlyArray<unknown>,
    compute: Effect.Effect<A, E>,
    sizeOf: (value: A) => number | undefined
  ) => Effect.Effect<A, E | StorageUnavailable>
}

/**
 * Creates a cache of values that together have about `maximumBytes` bytes. A key is JSON that determines its value. Values
 * are frozen, so that callers cache their serialized form by identity.
 *
 * Concurrent lookups of a value compute it once. If the computing fiber is interrupted, another one computes it. In a
 * transaction, a lookup never waits for another fiber, which could wait for the transaction.
 */
export const makeRenderCache = (records: Records["Service"], maximumBytes: number): RenderCache => {
  const cache = new LRUCache<string, object>({ maxSize: maximumBytes })
  const counts = cacheCountsOf("rendered content")
  const pending = new Map<string, Deferred.Deferred<Exit.Exit<object, unknown> | undefined>>()

  const computeAndCache = <A extends object, E>(
    key: string,
    compute: Effect.Effect<A, E>,
    sizeOf: (value: A) => number | undefined
  ): Effect.Effect<A, E> =>
    Effect.map(compute, (value) => {
      const size = sizeOf(value)
      if (size === undefined) return value
      // A larger value evicts all others.
      cache.set(key, Object.freeze(value), { size: Math.min(maximumBytes, size + key.length) })
      return value
    })

  const computeOnce = <A extends object, E>(
    key: string,
    compute: Effect.Effect<A, E>,
    sizeOf: (value: A) => number | undefined
  ): Effect.Effect<A, E> =>
    Effect.suspend((): Effect.Effect<A, E> => {
      const cached = cache.get(key)
      if (cached !== undefined) return Effect.succeed(cached as A)
      const other = pending.get(key)
      if (other !== undefined) {
        return Effect.flatMap(Deferred.await(other), (exit) =>
          // Interrupted: this fiber, or another one that has waited, computes it.
          exit === undefined ? computeOnce(key, compute, sizeOf) : (exit as Exit.Exit<A, E>)
        )
      }
      const deferred = Deferred.makeUnsafe<Exit.Exit<object, unknown> | undefined>()
      pending.set(key, deferred)
      return Effect.onExit(computeAndCache(key, compute, sizeOf), (exit) => {
        pending.delete(key)
        const isInterrupted = Exit.isFailure(exit) && Exit.hasInterrupts(exit)
        return Deferred.succeed(deferred, isInterrupted ? undefined : exit)
      })
    })

  return {
    peek: <A extends object>(sources: ReadonlyArray<unknown>) => {
      const cached = cache.get(JSON.stringify(sources))
      // After a miss, `get` counts the lookup.
      if (cached !== undefined) counts.hits++
      return cached as A | undefined
    },
    get: <A extends object, E>(
      sources: ReadonlyArray<unknown>,
      compute: Effect.Effect<A, E>,
      sizeOf: (value: A) => number | undefined
    ) => {
      const key = JSON.stringify(sources)
      const cached = cache.get(key)
      if (cached !== undefined) {
        counts.hits++
        return Effect.succeed(cached as A)
      }
      counts.misses++
      return Effect.flatMap(records.isInTransaction, (isIn) =>
        isIn ? computeAndCache(key, compute, sizeOf) : computeOnce(key, compute, sizeOf)
      )
    }
  }
}
