/**
 * Maintains the search index. Each revision of the primary content of a space updates the rows of the pages that
 * changed, in the same transaction. For a copy of a space, a background job builds the index.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { SystemGrant } from "../../access/grants/SystemGrant.ts"
import { Locks } from "../../access/operations/Locks.ts"
import { type JobHandler, Jobs } from "../../kernel/jobs/Jobs.ts"
import { rebuildJobKind } from "../../kernel/jobs/rebuildJob.ts"
import { type BlobHash, Records, type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import { type PageRecord, type Placed, recordOf } from "../../model/content/ContentRecord.ts"
import type { PageId } from "../../model/content/Page.ts"
import { revisions } from "../../model/content/Revision.ts"
import { type SearchPageRow, searchPages, searchWords } from "../../model/search/SearchPage.ts"
import { SpaceId, type SpaceRow, spaces } from "../../model/spaces/Space.ts"
import { pathOf } from "../../views/content/PageView.ts"
import { ContentStore } from "../content/ContentStore.ts"
import { withInclusions } from "../content/inclusions.ts"
import { emptyRoot } from "../content/MerkleMap.ts"
import { type Outline, outlineOf } from "../content/outline/Outline.ts"
import { Outlines } from "../content/outline/Outlines.ts"
import * as Tree from "../content/Tree.ts"
import { reverseText } from "./corrections.ts"
import { rowsOf, vocabularyOf } from "./searchRows.ts"

/** The kind of jobs that rebuild the index of a space. */
export const reindexJobKind = "search"

const Payload = Schema.Struct({ space: SpaceId })

/** The number of pages per read, and of rows per write. */
const rebuildBatchSize = 200

/** The number of words per write of the vocabulary. */
const wordBatchSize = 2_000

/** Whether two versions of a page have the same indexed text. */
const hasSameContent = (a: PageRecord, b: PageRecord): boolean =>
  a.title === b.title && a.description === b.description && a.body === b.body && a.type === b.type

/** Whether two versions of a page have the same path and visibility, which its descendants inherit. */
const hasSamePath = (a: PageRecord, b: PageRecord): boolean =>
  a.slug === b.slug && a.parent === b.parent && a.hidden === b.hidden

/** The path of a page; undefined if the page or one of its ancestors is hidden. */
type VisiblePath = string | undefined

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
  const jobs = yield* Jobs

  /** Returns the function that computes the path of a page. It reads each ancestor once. */
  const visiblePathsIn = (tree: Tree.Tree) => {
    const cache = new Map<string, VisiblePath>([["", ""]])
    const pathTo = (id: PageId | "", depth: number): Effect.Effect<VisiblePath, StorageUnavailable> =>
      Effect.gen(function* () {
        if (cache.has(id)) return cache.get(id)
        const page = depth > Tree.maximumDepth ? undefined : yield* tree.page(id)
        const parentPath = page === undefined ? undefined : yield* pathTo(page.parent, depth + 1)
        const isVisible = page !== undefined && page.hidden !== true && parentPath !== undefined
        const path = isVisible ? pathOf(parentPath, page) : undefined
        cache.set(id, path)
        return path
      })
    return (id: PageId) => pathTo(id, 0)
  }

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

  /** Derives the rows of pages from their outlines. Skips hidden pages and pages that are not documents. */
  const deriveRows = Effect.fnUntraced(function* (
    space: SpaceId,
    tree: Tree.Tree,
    pages: ReadonlyMap<PageId, PageRecord>,
    outlinesByHash: ReadonlyMap<BlobHash, Outline>
  ): Effect.fn.Return<ReadonlyArray<SearchPageRow>, StorageUnavailable> {
    const visiblePathOf = visiblePathsIn(tree)
    const rows: Array<SearchPageRow> = []
    for (const [id, page] of pages) {
      const path = page.type === "document" ? yield* visiblePathOf(id) : undefined
      if (path === undefined) continue
      const { title: name, description = "", body } = page
      const own = body === undefined ? outlineOf("") : outlinesByHash.get(body)!
      const outline = body === undefined || !includesContent(own) ? own : yield* expandedOutline(tree, body)
      rows.push(...rowsOf({ space, id, name, description, path, outline }))
      // Imports index hundreds of pages. Yielding lets other fibers run.
      if (rows.length % 10 === 0) yield* Effect.yieldNow
    }
    return rows
  })

  /** Derives the rows of pages, and stores the outlines of their Markdown. */
  const storeOutlinesAndDeriveRows = Effect.fnUntraced(function* (
    space: SpaceId,
    tree: Tree.Tree,
    pages: ReadonlyMap<PageId, PageRecord>,
    parsed?: ReadonlyMap<BlobHash, Outline>
  ): Effect.fn.Return<ReadonlyArray<SearchPageRow>, StorageUnavailable> {
    return yield* deriveRows(
      space,
      tree,
      pages,
      yield* outlines.write(indexedBodiesOf(pages.values()), parsed)
    )
  })

  /** Inserts rows, and the words of theirs that the vocabulary lacks. */
  const insertRows = Effect.fnUntraced(function* (
    space: SpaceId,
    rows: ReadonlyArray<SearchPageRow>
  ): Effect.fn.Return<void, StorageUnavailable> {
    for (let at = 0; at < rows.length; at += rebuildBatchSize) {
      yield* records.insertMany(searchPages, rows.slice(at, at + rebuildBatchSize))
    }
    const words = vocabularyOf(rows)
    for (let at = 0; at < words.length; at += wordBatchSize) {
      yield* records.insertMissing(
        searchWords,
        words.slice(at, at + wordBatchSize).map((word) => ({ space, word, reversed: reverseText(word) }))
      )
    }
  })

  const rootOf = (space: Pick<SpaceRow, "revision">) =>
    Effect.map(records.get(revisions, { id: space.revision }, ["root"]), (row) => row!.root)

  /**
   * Rebuilds the index of a space. It reads outside of a transaction, and retries if the space changed in the meantime.
   */
  const rebuild = Effect.fnUntraced(function* (id: SpaceId): Effect.fn.Return<number, StorageUnavailable> {
    for (;;) {
      const space = yield* records.get(spaces, { id }, ["revision"])
      if (space === undefined) return 0
      const tree = Tree.readTree(content.maps, yield* rootOf(space))
      const all = yield* tree.pages
      const rows: Array<SearchPageRow> = []
      for (let at = 0; at < all.length; at += rebuildBatchSize) {
        const some = new Map(all.slice(at, at + rebuildBatchSize).map(({ id, page }) => [id, page]))
        rows.push(...(yield* storeOutlinesAndDeriveRows(id, tree, some)))
        yield* Effect.yieldNow
      }
      const isDone = yield* lockedTransaction(
        Locks.space({ space: id }),
        Effect.gen(function* () {
          const current = yield* records.get(spaces, { id }, ["revision"])
          if (current === undefined) return true
          if (current.revision !== space.revision) return false
          yield* records.remove(searchPages, Where.eq("space", id))
          yield* records.remove(searchWords, Where.eq("space", id))
          yield* insertRows(id, rows)
          return true
        })
      )
      if (isDone) return new Set(rows.map(({ page }) => page)).size
    }
  })

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

  /** Enqueues the rebuild of every space, as jobs of their own: one that fails does not delay the others. */
  const rebuildHandler: JobHandler = {
    kind: rebuildJobKind("searchIndex"),
    run: () =>
      Effect.map(records.find(spaces, { select: ["id"] }), (all) =>
        Effect.forEach(all, ({ id }) => jobs.enqueue(reindexJobKind, { space: id }), { discard: true })
      )
  }

  return {
    /**
     * Updates the index for a new revision of a space, whose content changes from the root `before` to `after`. Call it
     * in the transaction that moves the head. If a page is moved, renamed or hidden, its descendants are indexed again.
     * If a reusable content changes, the pages that include any are indexed again.
     * `parsed` has outlines that were extracted before the transaction.
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
      let changesContent = false
      for (const difference of yield* content.maps.diff(before, after)) {
        const record = recordOf(difference.key)
        if (record?.kind === "reusableContent") changesContent = true
        if (record?.kind !== "page") continue
        const id = record.id as PageId
        const oldPage = difference.before as unknown as PageRecord | undefined
        const newPage = difference.after as unknown as PageRecord | undefined
        if (newPage === undefined) {
          removed.push(id)
          continue
        }
        const stays = oldPage !== undefined && hasSamePath(oldPage, newPage)
        if (oldPage !== undefined && !stays) moved.push(id)
        if (oldPage === undefined || !stays || !hasSameContent(oldPage, newPage)) pages.set(id, newPage)
      }
      for (let id = moved.pop(); id !== undefined; id = moved.pop()) {
        for (const child of yield* tree.children(id)) {
          moved.push(child.id)
          if (!pages.has(child.id)) pages.set(child.id, (yield* tree.page(child.id))!)
        }
      }
      if (changesContent) {
        for (const { id, page } of yield* pagesWithInclusions(tree, pages)) pages.set(id, page)
      }
      const changed = [...pages.keys(), ...removed]
      if (changed.length === 0) return
      if (before !== emptyRoot) {
        yield* records.remove(
          searchPages,
          Where.and<SearchPageRow>(Where.eq("space", space), Where.isIn("page", changed))
        )
      }
      yield* insertRows(space, yield* storeOutlinesAndDeriveRows(space, tree, pages, parsed))
    }),

    /** Derives the rows of pages from the outlines of their Markdown, without writing. */
    deriveRows,

    /** Enqueues a job that rebuilds the index of a space. */
    scheduleReindex: (space: SpaceId): Effect.Effect<void, StorageUnavailable> =>
      jobs.enqueue(reindexJobKind, { space }),

    /** Rebuilds the index of a space, and returns the number of its pages. Runs without a user. */
    rebuild,

    /** The handlers of the jobs that rebuild the index of a space, and of all spaces after a migration. */
    handlers: [handler, rebuildHandler] as ReadonlyArray<JobHandler>
  }
})

/** The methods of {@link SearchIndex}. */
export interface SearchIndexService extends Effect.Success<typeof makeSearchIndex> {}

/** Maintains the search index. */
export class SearchIndex extends Context.Service<SearchIndex, SearchIndexService>()(
  "@lectern/core/SearchIndex"
) {
  static readonly layer: Layer.Layer<SearchIndex, never, Records | ContentStore | Outlines | Jobs> =
    Layer.effect(SearchIndex, makeSearchIndex)
}
