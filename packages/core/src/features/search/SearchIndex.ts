/**
 * What pages are found by follows the primary content of their space: in the transaction that changes it, and only for
 * the pages that change. A copy of a space is made at once, and is followed by a job.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { SystemGrant } from "../../access/grants/SystemGrant.ts"
import { type JobHandler, Jobs } from "../../kernel/jobs/Jobs.ts"
import { type BlobHash, Records, type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import { type PageRecord, recordOf } from "../../model/content/ContentRecord.ts"
import type { PageId } from "../../model/content/Page.ts"
import { revisions } from "../../model/content/Revision.ts"
import { type SearchPageRow, searchPages } from "../../model/search/SearchPage.ts"
import { SpaceId, type SpaceRow, spaces } from "../../model/spaces/Space.ts"
import { pathOf } from "../../views/content/PageView.ts"
import { ContentStore } from "../content/ContentStore.ts"
import { emptyRoot } from "../content/MerkleMap.ts"
import { type Outline, outlineOf } from "../content/outline/Outline.ts"
import { Outlines } from "../content/outline/Outlines.ts"
import * as Tree from "../content/Tree.ts"
import { rowsOf } from "./searchRows.ts"

/** The kind of the job. */
export const indexSpace = "search"

const Payload = Schema.Struct({ space: SpaceId })

/** How many rows are written together. */
const rebuildBatchSize = 200

/** The fields that what a page is found by follows from. */
const isSame = (a: PageRecord, b: PageRecord): boolean =>
  a.title === b.title && a.description === b.description && a.body === b.body && a.type === b.type

/** Those that also count for the pages below. */
const isInPlace = (a: PageRecord, b: PageRecord): boolean =>
  a.slug === b.slug && a.parent === b.parent && a.hidden === b.hidden

/** Where a page is found; undefined for one that is hidden, or below one that is. */
type Path = string | undefined

/** The texts of pages that are found by them. */
export const textsOf = (pages: Iterable<PageRecord>): ReadonlyArray<BlobHash> =>
  Array.from(pages).flatMap(({ type, body }) => (type === "document" && body !== undefined ? [body] : []))

const makeSearchIndex = Effect.gen(function* () {
  const { transaction } = yield* Records
  const { records } = yield* SystemGrant.make("Indexes the pages of every space, in background jobs.")
  const content = yield* ContentStore
  const outlines = yield* Outlines
  const jobs = yield* Jobs

  /** Tells where pages of a content are, each page above them looked at once. */
  const paths = (tree: Tree.Tree) => {
    const known = new Map<string, Path>([["", ""]])
    const pathTo = (id: PageId | "", depth: number): Effect.Effect<Path, StorageUnavailable> =>
      Effect.gen(function* () {
        if (known.has(id)) return known.get(id)
        const page = depth > Tree.maximumDepth ? undefined : yield* tree.page(id)
        const above = page === undefined ? undefined : yield* pathTo(page.parent, depth + 1)
        const isFound = page !== undefined && page.hidden !== true && above !== undefined
        const path = isFound ? pathOf(above, page) : undefined
        known.set(id, path)
        return path
      })
    return (id: PageId) => pathTo(id, 0)
  }

  /** The rows of pages, by the outlines of their texts; those that are no documents, or hidden, have none. */
  const rowsBy = Effect.fnUntraced(function* (
    space: SpaceId,
    tree: Tree.Tree,
    pages: ReadonlyMap<PageId, PageRecord>,
    written: ReadonlyMap<BlobHash, Outline>
  ): Effect.fn.Return<ReadonlyArray<SearchPageRow>, StorageUnavailable> {
    const pathTo = paths(tree)
    const rows: Array<SearchPageRow> = []
    for (const [id, page] of pages) {
      const path = page.type === "document" ? yield* pathTo(id) : undefined
      if (path === undefined) continue
      const { title: name, description = "", body } = page
      const outline = body === undefined ? outlineOf("") : written.get(body)!
      rows.push(...rowsOf({ space, id, name, description, path, outline }))
      // An import writes hundreds: others come in between.
      if (rows.length % 10 === 0) yield* Effect.yieldNow
    }
    return rows
  })

  /** The rows of pages, whose outlines are kept from then on. */
  const rowsFor = Effect.fnUntraced(function* (
    space: SpaceId,
    tree: Tree.Tree,
    pages: ReadonlyMap<PageId, PageRecord>,
    ready?: ReadonlyMap<BlobHash, Outline>
  ): Effect.fn.Return<ReadonlyArray<SearchPageRow>, StorageUnavailable> {
    return yield* rowsBy(space, tree, pages, yield* outlines.write(textsOf(pages.values()), ready))
  })

  const insert = Effect.fnUntraced(function* (
    rows: ReadonlyArray<SearchPageRow>
  ): Effect.fn.Return<void, StorageUnavailable> {
    for (let at = 0; at < rows.length; at += rebuildBatchSize) {
      yield* records.insertMany(searchPages, rows.slice(at, at + rebuildBatchSize))
    }
  })

  const root = (space: Pick<SpaceRow, "revision">) =>
    Effect.map(records.get(revisions, { id: space.revision }, ["root"]), (row) => row!.root)

  /** Finds all pages of a space anew. It reads before it writes, and starts again where the space changed meanwhile. */
  const rebuild = Effect.fnUntraced(function* (id: SpaceId): Effect.fn.Return<number, StorageUnavailable> {
    for (;;) {
      const space = yield* records.get(spaces, { id }, ["revision"])
      if (space === undefined) return 0
      const tree = Tree.readTree(content.maps, yield* root(space))
      const all = yield* tree.pages
      const rows: Array<SearchPageRow> = []
      for (let at = 0; at < all.length; at += rebuildBatchSize) {
        const some = new Map(all.slice(at, at + rebuildBatchSize).map(({ id, page }) => [id, page]))
        rows.push(...(yield* rowsFor(id, tree, some)))
        yield* Effect.yieldNow
      }
      const isDone = yield* transaction(
        Effect.gen(function* () {
          const now = yield* records.get(spaces, { id }, ["revision"])
          if (now === undefined) return true
          if (now.revision !== space.revision) return false
          yield* records.remove(searchPages, Where.eq("space", id))
          yield* insert(rows)
          return true
        })
      )
      if (isDone) return new Set(rows.map(({ page }) => page)).size
    }
  })

  const handler: JobHandler = {
    kind: indexSpace,
    run: (payload) =>
      Effect.gen(function* () {
        const { space } = Schema.decodeUnknownSync(Payload)(payload)
        yield* rebuild(space)
        return Effect.void
      })
  }

  return {
    /**
     * Follows the content of a space from one root to another, in the transaction that moves it. A page that is moved,
     * renamed or hidden takes those below it along. Texts that are taken apart already are told by `ready`.
     */
    updateForRevision: Effect.fnUntraced(function* (
      space: SpaceId,
      before: BlobHash,
      after: BlobHash,
      ready?: ReadonlyMap<BlobHash, Outline>
    ): Effect.fn.Return<void, StorageUnavailable> {
      const tree = Tree.readTree(content.maps, after)
      const pages = new Map<PageId, PageRecord>()
      const gone: Array<PageId> = []
      const moved: Array<PageId> = []
      for (const difference of yield* content.maps.diff(before, after)) {
        const record = recordOf(difference.key)
        if (record?.kind !== "page") continue
        const id = record.id as PageId
        const was = difference.before as unknown as PageRecord | undefined
        const is = difference.after as unknown as PageRecord | undefined
        if (is === undefined) {
          gone.push(id)
          continue
        }
        const stays = was !== undefined && isInPlace(was, is)
        if (was !== undefined && !stays) moved.push(id)
        if (was === undefined || !stays || !isSame(was, is)) pages.set(id, is)
      }
      for (let id = moved.pop(); id !== undefined; id = moved.pop()) {
        for (const child of yield* tree.children(id)) {
          moved.push(child.id)
          if (!pages.has(child.id)) pages.set(child.id, (yield* tree.page(child.id))!)
        }
      }
      const changed = [...pages.keys(), ...gone]
      if (changed.length === 0) return
      if (before !== emptyRoot) {
        yield* records.remove(
          searchPages,
          Where.and<SearchPageRow>(Where.eq("space", space), Where.isIn("page", changed))
        )
      }
      yield* insert(yield* rowsFor(space, tree, pages, ready))
    }),

    /** What pages of a content should be found by, from their outlines. Nothing is written. */
    rowsBy,

    /** Has all pages of a space found anew in the background. */
    scheduleReindex: (space: SpaceId): Effect.Effect<void, StorageUnavailable> =>
      jobs.enqueue(indexSpace, { space }),

    /** Finds all pages of a space anew, and answers how many there are. It acts for nobody. */
    rebuild,

    /** What does the job. */
    handler
  }
})

/** The methods of {@link SearchIndex}. */
export interface SearchIndexService extends Effect.Success<typeof makeSearchIndex> {}

/** See the module's comment. */
export class SearchIndex extends Context.Service<SearchIndex, SearchIndexService>()(
  "@lectern/core/SearchIndex"
) {
  static readonly layer: Layer.Layer<SearchIndex, never, Records | ContentStore | Outlines | Jobs> =
    Layer.effect(SearchIndex, makeSearchIndex)
}
