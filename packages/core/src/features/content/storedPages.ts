/** Presents stored pages with their bodies, and caches them. */

import { type RenderCache, sizeOfDocument, sizeOfPage } from "@lectern/content"
import type { ConvertMarkdown } from "@lectern/formats"
import type { BlobHash, StorageUnavailable } from "@lectern/kernel"
import type { PageRecord, Placed } from "@lectern/kernel/tables"
import type { ContentOptions, Page, PageId, PageOptions, PageTree } from "@lectern/model/content"
import { Effect } from "effect"
import { presentPage } from "../../views/content/PageView.ts"
import { bodyInFormat, displayedBody, isFallback, type PageBody } from "./bodyInFormat.ts"
import type { ResolvedContent } from "./ContentAccess.ts"
import type { ContentStore } from "./ContentStore.ts"
import { withInclusions } from "./inclusions.ts"
import { visibleMarkdown } from "./visibleContent.ts"

/** The pages below the page that a path of ids leads to, starting from the root. */
const pagesBelow = (pages: ReadonlyArray<Page>, path: ReadonlyArray<PageId>): ReadonlyArray<Page> =>
  path.reduce<ReadonlyArray<Page>>((siblings, id) => {
    const page = siblings.find((sibling) => sibling.id === id)
    return page !== undefined && "pages" in page ? page.pages : []
  }, pages)

/** Returns the context that the resources of pages depend on. */
export const presentationOf = (
  { appUrl, visitor }: ResolvedContent,
  { metadata = true }: ContentOptions
) => ({
  app: appUrl,
  // Visitors cannot see the git repository, nor the conditions of pages.
  metadata: metadata && visitor === undefined,
  conditions: visitor === undefined
})

/** The parameters of {@link makeStoredPages}. */
interface StoredPagesContext {
  readonly store: ContentStore["Service"]
  readonly convert: ConvertMarkdown
  readonly rendered: RenderCache
  readonly presentTree: (
    resolved: ResolvedContent,
    options: ContentOptions
  ) => Effect.Effect<PageTree, StorageUnavailable>
}

/** Identifies a stored page as it is presented, unless it has pages below it, which can be computed. */
const keyOf = (resolved: ResolvedContent, id: PageId, options: PageOptions) => [
  "page",
  resolved.revision.root,
  id,
  presentationOf(resolved, options),
  options.format,
  options.evaluated,
  resolved.visitor?.contextId ?? null
]

/** Creates the functions that present stored pages. */
export const makeStoredPages = ({ store, convert, rendered, presentTree }: StoredPagesContext) => {
  /** Converts the Markdown at a hash to a document, which is cached: other pages and revisions can share it. */
  const presentDocument = (hash: BlobHash, markdown: string) =>
    rendered.get(["document", hash], bodyInFormat(convert, markdown, "document"), (body) =>
      isFallback(body) ? undefined : sizeOfDocument(markdown)
    )

  /** Presents the body of a page: Markdown with its inclusions expanded, or a document, which has their references. */
  const presentBody = Effect.fnUntraced(function* (
    resolved: ResolvedContent,
    page: PageRecord,
    options: PageOptions
  ): Effect.fn.Return<PageBody, StorageUnavailable> {
    const { format } = options
    if (format === undefined || page.type !== "document") return {}
    const text = page.body === undefined ? "" : yield* store.texts.get(page.body)
    const visible = (body: string) => visibleMarkdown(resolved, body, options)
    if (format === "document") {
      const seen = visible(text)
      // Only documents of whole bodies are shared. Evaluated ones are cached with the page, for the visitor.
      const body =
        page.body !== undefined && seen === text
          ? yield* presentDocument(page.body, text)
          : yield* bodyInFormat(convert, seen, format)
      return displayedBody(resolved, options, body)
    }
    return yield* bodyInFormat(convert, yield* withInclusions(store, resolved.tree, text, visible), format)
  })

  const presentUncached = Effect.fnUntraced(function* (
    resolved: ResolvedContent,
    placed: Placed,
    options: PageOptions,
    hasPages: boolean
  ): Effect.fn.Return<Page, StorageUnavailable> {
    const { tree } = resolved
    const above = (yield* tree.above(placed.page)).toReversed()
    const path = [...above.map(({ page }) => page.slug), placed.page.slug].join("/")
    const idPath = [...above.map(({ id }) => id), placed.id]
    const pages = hasPages ? pagesBelow((yield* presentTree(resolved, options)).pages, idPath) : []
    const page = presentPage(presentationOf(resolved, options), placed, path, pages)
    return { ...page, ...(yield* presentBody(resolved, placed.page, options)) }
  })

  return {
    /** Returns a page that was presented before, without reading anything. Undefined if it is not cached. */
    peek: (resolved: ResolvedContent, id: PageId, options: PageOptions): Page | undefined =>
      rendered.peek<Page>(keyOf(resolved, id, options)),

    /**
     * Presents a page with the pages below it, and with its body if a format is given. Only pages without stored pages below
     * them are cached: others change with the specs of the computed pages below them, and are part of the cached tree.
     */
    present: Effect.fnUntraced(function* (
      resolved: ResolvedContent,
      placed: Placed,
      options: PageOptions
    ): Effect.fn.Return<Page, StorageUnavailable> {
      const key = keyOf(resolved, placed.id, options)
      const cached = rendered.peek<Page>(key)
      if (cached !== undefined) return cached
      const hasPages = (yield* resolved.tree.children(placed.id, { limit: 1 })).length > 0
      const present = presentUncached(resolved, placed, options, hasPages)
      if (hasPages) return yield* present
      return yield* rendered.get(key, present, (page) =>
        "document" in page && isFallback(page) ? undefined : sizeOfPage(page)
      )
    })
  }
}

/** The functions that present stored pages. */
export interface StoredPages extends ReturnType<typeof makeStoredPages> {}
