/**
 * Maintains the search index. Each revision of the primary content of a space updates the rows of the pages that
 * changed, in the same transaction. For a copy of a space, a background job builds the index.
 */

import { type Outline, outlineOf } from "@lectern/markdown/outline"
import type { PageId } from "@lectern/model/content"
import { OrganizationId } from "@lectern/model/organizations"
import { SpaceId } from "@lectern/model/spaces"
import { Context, Effect, Layer, Schema } from "effect"
import { SystemGrant } from "../../access/grants/SystemGrant.ts"
import { Locks } from "../../access/operations/Locks.ts"
import { type JobHandler, Jobs } from "../../kernel/jobs/Jobs.ts"
import { type BlobHash, Records, type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import { type PageRecord, type Placed, recordOf } from "../../tables/content/ContentRecord.ts"
import { type RevisionRow, revisions } from "../../tables/content/revisionTable.ts"
import {
  type SearchPageRow,
  searchConditions,
  searchPages,
  searchWords
} from "../../tables/search/SearchPage.ts"
import { type SpaceRow, spaces } from "../../tables/spaces/spaceTable.ts"
import { ComputedPages } from "../content/ComputedPages.ts"
import { ContentStore } from "../content/ContentStore.ts"
import { withInclusions } from "../content/inclusions.ts"
import { emptyRoot } from "../content/MerkleMap.ts"
import { Outlines } from "../content/Outlines.ts"
import * as Tree from "../content/Tree.ts"
import { childPlaceOf, indexedPageOf, visiblePlacesIn } from "./indexedPlaces.ts"
import { computedJobKind, rebuildAllJobKind, reindexJobKind, specsJobKind } from "./indexJobs.ts"
import { insertWords } from "./insertWords.ts"
import { type IndexedRows, joinRows, rowsOf, vocabularyOf } from "./searchRows.ts"

const Payload = Schema.Struct({ space: SpaceId })
const SpecsPayload = Schema.Struct({ organization: OrganizationId })

/** The number of pages per read, and of rows per write. */
const rebuildBatchSize = 200

/** Whether two versions of a page have the same indexed text and presentation. */
const hasSameContent = (a: PageRecord, b: PageRecord): boolean =>
  a.description === b.description && a.body === b.body && a.type === b.type && a.noIndex === b.noIndex

/** Whether two versions of a page have the same path, visibility, condition and title, which the rows of its descendants contain. */
const hasSamePlace = (a: PageRecord, b: PageRecord): boolean =>
  a.slug === b.slug &&
  a.parent === b.parent &&
  a.hidden === b.hidden &&
  a.condition === b.condition &&
  a.title === b.title &&
  a.emoji === b.emoji &&
  a.icon === b.icon

/** The hashes of the Markdown of documents, which the index covers. */
export const indexedBodiesOf = (pages: Iterable<PageRecord>): ReadonlyArray<BlobHash> =>
  Array.from(pages).flatMap(({ type, body }) => (type === "document" && body !== undefined ? [body] : []))

/** Whether a page includes a reusable content, whose text readers see in the page. */
export const includesContent = ({ references }: Pick<Outline, "references">): boolean =>
  references.some(({ ref }) => ref.kind === "reusable-content")

const makeSearchIndex = Effect.gen(function* () {
  const { lockedTransaction } = yield* Records
  const { records } = yield* SystemGrant.make("Indexes the pages of every space, in background jobs.")
  const content = yield* ContentStore
  const outlines = yield* Outlines
  const computedPages = yield* ComputedPages
  const jobs = yield* Jobs

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
    space: SpaceId,
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
      all.push(rowsOf(indexedPageOf(space, { id, page }, place, outline)))
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
      all.push(rowsOf({ ...indexedPageOf(space.id, { id, page }, place, outline), source: placeholder }))
      yield* Effect.yieldNow
    }
    return joinRows(all)
  })

  /** Derives the rows of pages, and stores the outlines of their Markdown. */
  const storeOutlinesAndDeriveRows = Effect.fnUntraced(function* (
    space: SpaceId,
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

  /** Inserts rows, with the words that the vocabulary lacks and the conditions of their audiences. */
  const insertRows = Effect.fnUntraced(function* (
    space: SpaceId,
    { rows, words, conditions }: IndexedRows
  ): Effect.fn.Return<void, StorageUnavailable> {
    for (let at = 0; at < rows.length; at += rebuildBatchSize) {
      yield* records.insertMany(searchPages, rows.slice(at, at + rebuildBatchSize))
    }
    yield* insertWords(records, space, vocabularyOf(words))
    if (conditions.size === 0) return
    yield* records.insertMissingLater(
      searchConditions,
      [...conditions].map(([audience, all]) => ({ space, audience, conditions: all }))
    )
  })

  /** Reads the head of a space; undefined if the space does not exist. */
  const headOf = Effect.fnUntraced(function* (id: SpaceId) {
    const space = yield* records.get(spaces, { id })
    const revision = space === undefined ? undefined : yield* records.get(revisions, { id: space.revision })
    return space === undefined || revision === undefined
      ? undefined
      : { space, revision, tree: Tree.readTree(content.maps, revision.root) }
  })

  type Head = Effect.Success<ReturnType<typeof headOf>> & object

  /**
   * Replaces rows of a space. `derive` reads outside of a transaction, and runs again if the space changes in the
   * meantime. Returns the number of pages.
   */
  const replaceRows = Effect.fnUntraced(function* (
    id: SpaceId,
    derive: (head: Head) => Effect.Effect<IndexedRows, StorageUnavailable>,
    remove: Effect.Effect<unknown, StorageUnavailable>
  ): Effect.fn.Return<number, StorageUnavailable> {
    for (;;) {
      const head = yield* headOf(id)
      if (head === undefined) return 0
      const derived = yield* derive(head)
      const isDone = yield* lockedTransaction(
        Locks.space({ space: id }),
        Effect.gen(function* () {
          const current = yield* records.get(spaces, { id }, ["revision"])
          if (current === undefined) return true
          if (current.revision !== head.revision.id) return false
          yield* remove
          yield* insertRows(id, derived)
          return true
        })
      )
      if (isDone) return new Set(derived.rows.map(({ page }) => page)).size
    }
  })

  /** Rebuilds the index of a space. */
  const rebuild = (id: SpaceId): Effect.Effect<number, StorageUnavailable> =>
    replaceRows(
      id,
      Effect.fnUntraced(function* ({ space, revision, tree }) {
        const all = yield* tree.pages
        const derived: Array<IndexedRows> = []
        for (let at = 0; at < all.length; at += rebuildBatchSize) {
          const some = new Map(all.slice(at, at + rebuildBatchSize).map(({ id, page }) => [id, page]))
          derived.push(yield* storeOutlinesAndDeriveRows(id, tree, some))
          yield* Effect.yieldNow
        }
        return joinRows([...derived, yield* deriveComputedRows(space, revision, tree)])
      }),
      Effect.gen(function* () {
        yield* records.remove(searchPages, Where.eq("space", id))
        yield* records.remove(searchWords, Where.eq("space", id))
        yield* records.remove(searchConditions, Where.eq("space", id))
      })
    )

  const isComputed = (id: SpaceId) =>
    Where.and<SearchPageRow>(Where.eq("space", id), Where.not(Where.eq("source", "")))

  /** Updates the rows of the pages of a space that are computed from specs. */
  const rebuildComputed = (id: SpaceId): Effect.Effect<number, StorageUnavailable> =>
    replaceRows(
      id,
      ({ space, revision, tree }) => deriveComputedRows(space, revision, tree),
      records.remove(searchPages, isComputed(id))
    )

  const handler: JobHandler = {
    kind: reindexJobKind,
    locks: () => [],
    run: (payload) =>
      Effect.gen(function* () {
        const { space } = Schema.decodeUnknownSync(Payload)(payload)
        yield* rebuild(space)
        return Effect.void
      })
  }

  const computedHandler: JobHandler = {
    kind: computedJobKind,
    locks: () => [],
    run: (payload) =>
      Effect.as(rebuildComputed(Schema.decodeUnknownSync(Payload)(payload).space), Effect.void)
  }

  /** Enqueues the update of the computed pages of each space of an organization that has any. */
  const specsHandler: JobHandler = {
    kind: specsJobKind,
    locks: () => [],
    run: Effect.fnUntraced(function* (payload) {
      const { organization } = Schema.decodeUnknownSync(SpecsPayload)(payload)
      const withComputed: Array<SpaceId> = []
      const all = yield* records.find(spaces, {
        select: ["id"],
        where: Where.eq<SpaceRow, "organization">("organization", organization)
      })
      for (const { id } of all) {
        const head = yield* headOf(id)
        const pages = head === undefined ? [] : yield* head.tree.pages
        if (pages.some(({ page }) => page.type === "computed")) withComputed.push(id)
      }
      return Effect.forEach(withComputed, (space) => jobs.enqueue(computedJobKind, { space }), {
        discard: true
      })
    })
  }

  /** Enqueues the rebuild of every space, as jobs of their own: one that fails does not delay the others. */
  const rebuildHandler: JobHandler = {
    kind: rebuildAllJobKind,
    run: () =>
      Effect.map(records.find(spaces, { select: ["id"] }), (all) =>
        Effect.forEach(all, ({ id }) => jobs.enqueue(reindexJobKind, { space: id }), { discard: true })
      )
  }

  return {
    /**
     * Updates the index for a new revision of a space, whose content changes from the root `before` to `after`. Call it
     * in the transaction that moves the head. If a page is moved, renamed or hidden, its descendants are indexed again.
     * If a reusable content changes, the pages that include any are indexed again. `parsed` has earlier extracted outlines.
     */
    updateForRevision: Effect.fnUntraced(function* (
      space: SpaceId,
      before: BlobHash,
      after: BlobHash,
      parsed?: ReadonlyMap<BlobHash, Outline>
    ): Effect.fn.Return<void, StorageUnavailable> {
      const tree = Tree.readTree(content.maps, after)
      const pages = new Map<PageId, PageRecord>()
      const removed: Array<PageId> = []
      const moved: Array<PageId> = []
      let [changesContent, changesComputed] = [false, false]
      const replaced = new Set<BlobHash>()
      for (const difference of yield* content.maps.diff(before, after)) {
        const record = recordOf(difference.key)
        if (record?.kind === "reusableContent") changesContent = true
        if (record?.kind !== "page") continue
        const id = record.id as PageId
        const oldPage = difference.before as unknown as PageRecord | undefined
        const newPage = difference.after as unknown as PageRecord | undefined
        if (oldPage?.type === "computed" || newPage?.type === "computed") changesComputed = true
        if (oldPage?.body !== undefined && oldPage.body !== newPage?.body) replaced.add(oldPage.body)
        if (newPage === undefined) {
          removed.push(id)
          continue
        }
        const stays = oldPage !== undefined && hasSamePlace(oldPage, newPage)
        if (oldPage !== undefined && !stays) moved.push(id)
        if (oldPage === undefined || !stays || !hasSameContent(oldPage, newPage)) pages.set(id, newPage)
      }
      for (let id = moved.pop(); id !== undefined; id = moved.pop()) {
        for (const child of yield* tree.children(id)) {
          moved.push(child.id)
          const page = pages.get(child.id) ?? (yield* tree.page(child.id))!
          if (page.type === "computed") changesComputed = true
          pages.set(child.id, page)
        }
      }
      if (changesContent) {
        for (const { id, page } of yield* pagesWithInclusions(tree, pages)) pages.set(id, page)
      }
      const changed = [...pages.keys(), ...removed]
      if (changesComputed) {
        // The rows may be of pages that are hidden or removed now. A job derives the new ones from the specs.
        if (before !== emptyRoot) yield* records.removeLater(searchPages, isComputed(space))
        yield* jobs.enqueue(computedJobKind, { space })
      }
      if (changed.length === 0) return
      if (before !== emptyRoot) {
        yield* records.removeLater(
          searchPages,
          Where.and<SearchPageRow>(Where.eq("space", space), Where.isIn("page", changed))
        )
      }
      yield* insertRows(space, yield* storeOutlinesAndDeriveRows(space, tree, pages, parsed))
      yield* outlines.removeReplaced(replaced, indexedBodiesOf(pages.values()))
    }),

    /** Derives the rows of pages from the outlines of their Markdown, without writing. */
    deriveRows,

    /** Derives the rows of the pages that are computed from specs, without writing. */
    deriveComputedRows,

    /** Enqueues a job that updates the computed pages of all spaces of an organization whose specs changed. */
    scheduleSpecs: (organization: OrganizationId): Effect.Effect<void, StorageUnavailable> =>
      jobs.enqueue(specsJobKind, { organization }),

    /** Enqueues a job that rebuilds the index of a space. */
    scheduleReindex: (space: SpaceId): Effect.Effect<void, StorageUnavailable> =>
      jobs.enqueue(reindexJobKind, { space }),

    /** Rebuilds the index of a space, and returns the number of its pages. Runs without a user. */
    rebuild,

    /** The handlers of the jobs that rebuild the index of a space, and of all spaces after a migration. */
    handlers: [handler, computedHandler, specsHandler, rebuildHandler] as ReadonlyArray<JobHandler>
  }
})

/** The methods of {@link SearchIndex}. */
export interface SearchIndexService extends Effect.Success<typeof makeSearchIndex> {}

/** Maintains the search index. */
export class SearchIndex extends Context.Service<SearchIndex, SearchIndexService>()(
  "@lectern/core/SearchIndex"
) {
  static readonly layer: Layer.Layer<
    SearchIndex,
    never,
    Records | ContentStore | Outlines | ComputedPages | Jobs
  > = Layer.effect(SearchIndex, makeSearchIndex)
}
