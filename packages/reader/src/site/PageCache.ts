/** The cache of rendered pages and files of sites. Each is rendered once for concurrent requests. */
import type { NotFound, StorageUnavailable } from "@lectern/core"
import { Deferred, Effect, Exit } from "effect"
import { LRUCache } from "lru-cache"
import type { Rendered } from "../http/messages.ts"
import type { SpecDependency } from "./renderContent.ts"

/** A rendered page with the other spaces and the OpenAPI documents that it displays parts of. */
interface CachedPage {
  readonly page: Rendered
  readonly spaces: ReadonlyArray<{ readonly id: string; readonly version: string }>
  readonly specs: ReadonlyArray<SpecDependency>
}

/** A page or a file with whether it can be cached. */
interface RenderedOnce extends CachedPage {
  readonly isComplete: boolean
}

/** Returns the current versions of the dependencies of a cached page; `undefined` for content that the reader cannot see. */
export interface CurrentVersions {
  readonly space: (id: string) => Effect.Effect<string | undefined, StorageUnavailable>
  readonly spec: (source: string) => Effect.Effect<string | undefined, StorageUnavailable>
}

/** Creates the cache, with a capacity in characters. */
export const makePageCache = (capacity: number) => {
  const cache = new LRUCache<string, CachedPage>({ maxSize: capacity })
  const pending = new Map<
    string,
    Deferred.Deferred<Exit.Exit<Rendered, NotFound | StorageUnavailable> | undefined>
  >()

  /** Renders a page or a file once for concurrent requests, and caches it if it is complete. */
  const renderOnce = (
    key: string,
    work: Effect.Effect<RenderedOnce, NotFound | StorageUnavailable>
  ): Effect.Effect<Rendered, NotFound | StorageUnavailable> =>
    Effect.suspend((): Effect.Effect<Rendered, NotFound | StorageUnavailable> => {
      const other = pending.get(key)
      if (other !== undefined) {
        return Effect.flatMap(Deferred.await(other), (exit) => exit ?? renderOnce(key, work))
      }
      const deferred = Deferred.makeUnsafe<Exit.Exit<Rendered, NotFound | StorageUnavailable> | undefined>()
      pending.set(key, deferred)
      const cached = Effect.map(work, ({ isComplete, page, spaces, specs }) => {
        const size = page.body.length + key.length
        if (isComplete) cache.set(key, { page, spaces, specs }, { size })
        return page
      })
      return Effect.onExit(cached, (exit) => {
        pending.delete(key)
        // Another request renders the page if this one is interrupted.
        return Deferred.succeed(deferred, Exit.isFailure(exit) && Exit.hasInterrupts(exit) ? undefined : exit)
      })
    })

  return {
    renderOnce,

    /**
     * Returns a cached page. The page is not returned if another space that it links to has changed, or an OpenAPI document
     * that it displays.
     */
    cached: Effect.fnUntraced(function* (key: string, current: CurrentVersions) {
      const found = cache.get(key)
      if (found === undefined) return undefined
      for (const { id, version } of found.spaces) if ((yield* current.space(id)) !== version) return undefined
      for (const { source, version } of found.specs)
        if ((yield* current.spec(source)) !== version) return undefined
      return found.page
    }),

    /**
     * Returns a file that no other content than that of the key determines, from the cache or rendered. It is cached if `isCurrent` succeeds with
     * true after it was rendered.
     */
    file: (
      key: string,
      work: Effect.Effect<Rendered, NotFound | StorageUnavailable>,
      isCurrent: Effect.Effect<boolean, NotFound | StorageUnavailable>
    ): Effect.Effect<Rendered, NotFound | StorageUnavailable> => {
      const found = cache.get(key)
      if (found !== undefined) return Effect.succeed(found.page)
      const rendering = Effect.flatMap(work, (page) =>
        Effect.map(isCurrent, (isComplete) => ({ page, isComplete, spaces: [], specs: [] }))
      )
      return renderOnce(key, rendering)
    }
  }
}
