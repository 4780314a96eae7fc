/** Finds pages by their paths: stored pages, computed pages, and the redirects of imported repositories. */

import { configurationPath } from "@lectern/formats"
import type { StorageUnavailable } from "@lectern/kernel"
import type { PageRecord, Placed } from "@lectern/kernel/tables"
import { servablePath } from "@lectern/markdown/text"
import type { Page, PageId, PageOptions } from "@lectern/model/content"
import { NotFound } from "@lectern/model/errors"
import { Effect } from "effect"
import type { ResolvedContent } from "./ContentAccess.ts"
import type { StoredPages } from "./storedPages.ts"

/** Presents a computed page of content; undefined if no page matches. */
type ComputedPage = (
  resolved: ResolvedContent,
  options: PageOptions,
  matches: (placed: Placed) => boolean
) => Effect.Effect<Page | undefined, StorageUnavailable>

/** Creates the function that presents the page at a path, or fails with `NotFound`. */
export const makePageByPath = (storedPages: StoredPages, computedPage: ComputedPage) => {
  /** Returns the page that a former path redirects to by the configuration of an imported repository, or `undefined`. */
  const redirectedPage = Effect.fnUntraced(function* (
    resolved: ResolvedContent,
    path: string,
    input: PageOptions
  ): Effect.fn.Return<Page | undefined, StorageUnavailable> {
    const redirects = (yield* resolved.tree.source(configurationPath))?.redirects ?? {}
    const id = Object.hasOwn(redirects, path) ? redirects[path] : undefined
    const page = id === undefined ? undefined : yield* resolved.tree.page(id)
    return id === undefined || page === undefined
      ? undefined
      : yield* storedPages.present(resolved, { id, page }, input)
  })

  const pageAt = Effect.fnUntraced(function* (
    resolved: ResolvedContent,
    path: string,
    input: PageOptions
  ): Effect.fn.Return<Page | undefined, StorageUnavailable> {
    let found: Placed | undefined
    const slugs = path.replace(/^\/+|\/+$/g, "").split("/")
    for (const [index, slug] of slugs.entries()) {
      const parent: PageId | "" = found?.id ?? ""
      const id: PageId | undefined = yield* resolved.tree.bySlug(parent, slug)
      const page: PageRecord | undefined = id === undefined ? undefined : yield* resolved.tree.page(id)
      if (id === undefined || page === undefined) {
        const isLast = index === slugs.length - 1
        const computed: Page | undefined = isLast
          ? yield* computedPage(resolved, input, ({ page }) => page.parent === parent && page.slug === slug)
          : undefined
        const redirected = computed ?? (yield* redirectedPage(resolved, slugs.join("/"), input))
        return redirected
      }
      found = { id, page }
    }
    return yield* storedPages.present(resolved, found!, input)
  })

  return Effect.fnUntraced(function* (
    resolved: ResolvedContent,
    path: string,
    input: PageOptions
  ): Effect.fn.Return<Page, NotFound | StorageUnavailable> {
    // A page whose slug got a suffix because of a served document is also at the path in its source.
    const servable = servablePath(path)
    const found =
      (yield* pageAt(resolved, path, input)) ??
      (servable === path ? undefined : yield* pageAt(resolved, servable, input))
    return found ?? (yield* NotFound.of("page"))
  })
}
