/** The presentation of pages and files, which operations on content share. */
import { makeRenderCache, sizeOfPages } from "@lectern/content"
import { cacheShare, Records } from "@lectern/kernel"
import { runInSteps } from "@lectern/markdown/merge"
import type { ContentOptions } from "@lectern/model/content"
import { Effect } from "effect"
import { presentPages } from "../../../views/content/PageView.ts"
import { ComputedPages, nothingComputed } from "../ComputedPages.ts"
import type { ResolvedContent } from "../ContentAccess.ts"
import { ContentStore } from "../ContentStore.ts"
import { presentationOf } from "../storedPages.ts"
import { makeVisibleParts } from "../visibleContent.ts"
import { makePresentLevels } from "./presentLevels.ts"

/** The maximum size of the cache of presented content, in bytes. */
const renderCacheBytes = 64 * 1024 * 1024

/** Creates the presentation of pages, whose cache all operations on content share. */
export const makePresentation = Effect.gen(function* () {
  const records = yield* Records
  const computedPages = yield* ComputedPages
  const rendered = makeRenderCache(records, yield* cacheShare(renderCacheBytes))

  /** The computed pages of content, unless the caller excludes them. */
  const computedIn = (resolved: ResolvedContent, options: ContentOptions) =>
    options.computed === false ? Effect.succeed(nothingComputed) : computedPages.in(resolved)

  /** Presents all pages in their tree. */
  const presentTree = Effect.fnUntraced(function* (resolved: ResolvedContent, options: ContentOptions) {
    const presentation = presentationOf(resolved, options)
    const { version, placeholders, pages } = yield* computedIn(resolved, options)
    return yield* rendered.get(
      ["pages", resolved.revision.root, presentation, version, resolved.visitor?.contextId],
      Effect.flatMap(resolved.tree.pages, (stored) => {
        const all = [...stored.filter(({ id }) => !placeholders.has(id)), ...pages]
        return Effect.map(runInSteps(presentPages(presentation, all)), (presented) => ({ pages: presented }))
      }),
      ({ pages }) => sizeOfPages(pages)
    )
  })

  const presentLevels = makePresentLevels({ rendered, computedIn, presentTree })

  return { rendered, computedIn, presentTree, presentLevels }
})

/** See {@link makePresentation}. */
export type Presentation = Effect.Success<typeof makePresentation>

/** Creates the function that lists files. */
export const makeFileLists = Effect.gen(function* () {
  const store = yield* ContentStore
  const visibleParts = makeVisibleParts(store)

  /** Returns at most `limit` files that the caller can see, newest first, starting after the file with the id `before`. */
  const filesOf = Effect.fnUntraced(function* (resolved: ResolvedContent, before?: string, limit?: number) {
    const parts = yield* visibleParts(resolved)
    if (parts === undefined) return yield* resolved.tree.files(before, limit)
    const visible = (yield* resolved.tree.files(before)).filter(([id]) => parts.files.has(id))
    return visible.slice(0, limit)
  })

  return { filesOf }
})
