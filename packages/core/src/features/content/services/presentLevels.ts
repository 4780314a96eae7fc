/** The presentation of some levels of the tree of pages, which reads no other pages. */
import { pathOf, type RenderCache, sizeOfPages } from "@lectern/content"
import type { StorageUnavailable } from "@lectern/kernel"
import type { ContentOptions, ListPages, Page, PageId, PageTree } from "@lectern/model/content"
import { NotFound } from "@lectern/model/errors"
import { Effect } from "effect"
import { type PageContext, presentPage } from "../../../views/content/PageView.ts"
import type { Computed } from "../ComputedPages.ts"
import type { ResolvedContent } from "../ContentAccess.ts"
import { presentationOf } from "../storedPages.ts"

/** The services of {@link makePresentLevels}. */
interface LevelsContext {
  readonly rendered: RenderCache
  readonly computedIn: (
    resolved: ResolvedContent,
    options: ContentOptions
  ) => Effect.Effect<Computed, StorageUnavailable>
  readonly presentTree: (
    resolved: ResolvedContent,
    options: ContentOptions
  ) => Effect.Effect<PageTree, StorageUnavailable>
}

/** Returns a page without its subpages, and whether it has some. */
const withoutPages = (page: Page, hasPages: boolean): Page =>
  "pages" in page ? { ...page, ...(hasPages ? { hasPages } : {}), pages: [] } : page

/** Returns the first levels of pages. */
const firstLevels = (pages: ReadonlyArray<Page>, depth: number): ReadonlyArray<Page> =>
  pages.map((page) => {
    if (!("pages" in page)) return page
    return depth === 1
      ? withoutPages(page, page.pages.length > 0)
      : { ...page, pages: firstLevels(page.pages, depth - 1) }
  })

const findPage = (pages: ReadonlyArray<Page>, id: PageId): Page | undefined => {
  for (const page of pages) {
    if (page.id === id) return page
    const found = "pages" in page ? findPage(page.pages, id) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

const missing = NotFound.of("page")

/** Creates the function that presents levels of pages. It fails with `NotFound` if the parent does not exist. */
export const makePresentLevels = ({ rendered, computedIn, presentTree }: LevelsContext) => {
  /** Presents the pages below a parent by the index of places. */
  const presentChildren = (
    tree: ResolvedContent["tree"],
    presentation: PageContext,
    parent: PageId | "",
    parentPath: string,
    depth: number
  ): Effect.Effect<ReadonlyArray<Page>, StorageUnavailable> =>
    Effect.gen(function* () {
      const presented: Array<Page> = []
      for (const { id } of yield* tree.children(parent)) {
        const page = yield* tree.page(id)
        if (page === undefined) continue
        const path = pathOf(parentPath, page)
        if (depth > 1) {
          const below = yield* presentChildren(tree, presentation, id, path, depth - 1)
          presented.push(presentPage(presentation, { id, page }, path, below))
        } else {
          const [child] = yield* tree.children(id, { limit: 1 })
          presented.push(withoutPages(presentPage(presentation, { id, page }, path, []), child !== undefined))
        }
      }
      return presented
    })

  /** Returns the path of a page; undefined if it does not exist. */
  const pathTo = Effect.fnUntraced(function* ({ tree }: ResolvedContent, id: PageId) {
    const page = yield* tree.page(id)
    if (page === undefined) return undefined
    const above = (yield* tree.above(page)).toReversed()
    return [...above.map((one) => one.page), page].reduce(pathOf, "")
  })

  return Effect.fnUntraced(function* (
    resolved: ResolvedContent,
    { parent, depth = Number.POSITIVE_INFINITY, ...options }: ListPages
  ): Effect.fn.Return<PageTree, NotFound | StorageUnavailable> {
    const { version, placeholders } = yield* computedIn(resolved, options)
    if (placeholders.size > 0) {
      // Generated pages have no index.
      const { pages } = yield* presentTree(resolved, options)
      const found = parent === undefined ? undefined : findPage(pages, parent)
      if (parent !== undefined && found === undefined) return yield* missing
      const below = found === undefined ? pages : "pages" in found ? found.pages : []
      return { pages: firstLevels(below, depth) }
    }
    const path = parent === undefined ? "" : yield* pathTo(resolved, parent)
    if (path === undefined) return yield* missing
    const presentation = presentationOf(resolved, options)
    return yield* rendered.get(
      [
        "levels",
        resolved.revision.root,
        presentation,
        version,
        resolved.visitor?.contextId,
        parent,
        Number.isFinite(depth) ? depth : "all"
      ],
      Effect.map(presentChildren(resolved.tree, presentation, parent ?? "", path, depth), (pages) => ({
        pages
      })),
      ({ pages }) => sizeOfPages(pages)
    )
  })
}
