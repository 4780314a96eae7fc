/** Derives the rows of the search index from pages. */

import { SystemGrant } from "@lectern/access"
import { type IndexedRows, type IndexedSpace, joinRows, rowsOf, type Trees as Tree } from "@lectern/content"
import type { BlobHash, StorageUnavailable } from "@lectern/kernel"
import type { PageRecord, Placed, RevisionRow, SpaceRow } from "@lectern/kernel/tables"
import { type Outline, outlineOf } from "@lectern/markdown/outline"
import type { PageId } from "@lectern/model/content"
import { Effect } from "effect"
import { ComputedPages } from "../content/ComputedPages.ts"
import { ContentStore } from "../content/ContentStore.ts"
import { withInclusions } from "../content/inclusions.ts"
import { Outlines } from "../content/Outlines.ts"
import { childPlaceOf, indexedPageOf, visiblePlacesIn } from "./indexedPlaces.ts"

/** Whether a page includes a reusable content, whose text readers see in the page. */
export const includesContent = ({ references }: Pick<Outline, "references">): boolean =>
  references.some(({ ref }) => ref.kind === "reusable-content")

/** The hashes of the Markdown of documents, which the index covers. */
export const indexedBodiesOf = (pages: Iterable<PageRecord>): ReadonlyArray<BlobHash> =>
  Array.from(pages).flatMap(({ type, body }) => (type === "document" && body !== undefined ? [body] : []))

/** Creates the functions that derive the rows of pages and of computed pages. */
export const makeDerivation = Effect.gen(function* () {
  const { records } = yield* SystemGrant.make("Indexes the pages of every space, in background jobs.")
  const content = yield* ContentStore
  const outlines = yield* Outlines
  const computedPages = yield* ComputedPages

  /** Extracts the outline of a page with the reusable contents that it includes. */
  const expandedOutline = Effect.fnUntraced(function* (
    tree: Tree.Tree,
    body: BlobHash
  ): Effect.fn.Return<Outline, StorageUnavailable> {
    return yield* outlines.parse(yield* withInclusions(content, tree, yield* content.texts.get(body)))
  })

  /** Returns the pages that include reusable contents, except for `others`. */
  const pagesWithInclusions = Effect.fnUntraced(function* (
    tree: Tree.Tree,
    others: ReadonlyMap<PageId, PageRecord>
  ): Effect.fn.Return<ReadonlyArray<Placed>, StorageUnavailable> {
    const candidates = (yield* tree.pages).filter(({ id }) => !others.has(id))
    const stored = yield* outlines.getMany(indexedBodiesOf(candidates.map(({ page }) => page)))
    return candidates.filter(
      ({ page: { type, body } }) =>
        type === "document" && body !== undefined && includesContent(stored.get(body)!)
    )
  })

  /** Derives the rows of pages from their outlines. Skips pages that are hidden or not indexed, and other types. */
  const deriveRows = Effect.fnUntraced(function* (
    space: IndexedSpace,
    tree: Tree.Tree,
    pages: ReadonlyMap<PageId, PageRecord>,
    outlinesByHash: ReadonlyMap<BlobHash, Outline>
  ): Effect.fn.Return<IndexedRows, StorageUnavailable> {
    const placeOf = visiblePlacesIn(tree)
    const all: Array<IndexedRows> = []
    for (const [id, page] of pages) {
      const place = page.type === "document" && page.noIndex !== true ? yield* placeOf(id) : undefined
      if (place === undefined) continue
      const { body } = page
      const own = body === undefined ? outlineOf("") : outlinesByHash.get(body)!
      const outline = body === undefined || !includesContent(own) ? own : yield* expandedOutline(tree, body)
      all.push(yield* rowsOf(indexedPageOf(space, { id, page }, place, outline)))
      // Imports index hundreds of pages. Yielding lets other fibers run.
      if (all.length % 10 === 0) yield* Effect.yieldNow
    }
    return joinRows(all)
  })

  /** Derives the rows of the pages that are computed from specs, from their current versions. */
  const deriveComputedRows = Effect.fnUntraced(function* (
    space: SpaceRow,
    revision: RevisionRow,
    tree: Tree.Tree
  ): Effect.fn.Return<IndexedRows, StorageUnavailable> {
    const placeOf = visiblePlacesIn(tree)
    const all: Array<IndexedRows> = []
    const { pages } = yield* computedPages.in({ space, revision, tree, grant: { records } })
    for (const { id, page, markdown, placeholder } of pages) {
      const parent = page.hidden === true ? undefined : yield* placeOf(page.parent)
      if (parent === undefined) continue
      const place = childPlaceOf(parent, page)
      const outline = yield* outlines.parse(markdown)
      all.push(yield* rowsOf({ ...indexedPageOf(space, { id, page }, place, outline), source: placeholder }))
      yield* Effect.yieldNow
    }
    return joinRows(all)
  })

  /** Derives the rows of pages, and stores the outlines of their Markdown. */
  const storeOutlinesAndDeriveRows = Effect.fnUntraced(function* (
    space: IndexedSpace,
    tree: Tree.Tree,
    pages: ReadonlyMap<PageId, PageRecord>,
    parsed?: ReadonlyMap<BlobHash, Outline>
  ): Effect.fn.Return<IndexedRows, StorageUnavailable> {
    return yield* deriveRows(
      space,
      tree,
      pages,
      yield* outlines.write(indexedBodiesOf(pages.values()), parsed)
    )
  })

  return { records, pagesWithInclusions, deriveRows, deriveComputedRows, storeOutlinesAndDeriveRows }
})
