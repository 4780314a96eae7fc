/**
 * Maintains the search index. Each revision of the primary content of a space updates the rows of the pages that
 * changed, in the same transaction. For a copy of a space and for one that is transferred, a background job builds the index.
 */

import { Locks } from "@lectern/access"
import {
  batchesOf,
  emptyRoot,
  type IndexedRows,
  type IndexedSpace,
  joinRows,
  Trees as Tree
} from "@lectern/content"
import { type BlobHash, Jobs, Records, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type PageRecord,
  recordOf,
  revisions,
  type SearchPartRow,
  type SearchVocabularyRow,
  searchAudiences,
  searchParts,
  searchVocabulary,
  spaces
} from "@lectern/kernel/tables"
import type { Outline } from "@lectern/markdown/outline"
import type { PageId } from "@lectern/model/content"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SpaceId } from "@lectern/model/spaces"
import { Context, Effect, Layer } from "effect"
import type { ComputedPages } from "../content/ComputedPages.ts"
import { ContentStore } from "../content/ContentStore.ts"
import { inBatches, Outlines } from "../content/Outlines.ts"
import { makeIndexHandlers } from "./indexHandlers.ts"
import { computedJobKind, reindexJobKind, specsJobKind, wordsJobKind } from "./indexJobs.ts"
import { indexedBodiesOf, makeDerivation } from "./rowDerivation.ts"
import { mergedRowsOf, mergeWords, needsMerge, pageRowOf, type VocabularySpace } from "./vocabulary.ts"

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

/** A new revision of the primary content of a space. */
export interface IndexedRevision {
  /** The root of the content before. */
  readonly before: BlobHash
  /** The root of the content now. */
  readonly after: BlobHash
  /** Earlier extracted outlines. */
  readonly parsed: ReadonlyMap<BlobHash, Outline> | undefined
}

/** Returns the rows with the words of pages. */
const pageRowsOf = (space: VocabularySpace, { words }: IndexedRows): ReadonlyArray<SearchVocabularyRow> =>
  // Pages with the same words have the same row.
  [
    ...new Map(
      [...words.values()].map((some) => pageRowOf(space, some)).map((row) => [row.bucket, row])
    ).values()
  ]

const isComputed = (id: SpaceId) =>
  Where.and<SearchPartRow>(Where.eq("space", id), Where.not(Where.eq("source", "")))

const makeReplacement = Effect.gen(function* () {
  const { lockedTransaction } = yield* Records
  const content = yield* ContentStore
  const { records } = yield* makeDerivation

  /** Inserts rows, with the rows of their words and the conditions of their audiences. */
  const insertRows = Effect.fnUntraced(function* (
    space: VocabularySpace,
    { rows, conditions }: IndexedRows,
    words: ReadonlyArray<SearchVocabularyRow>
  ): Effect.fn.Return<void, StorageUnavailable> {
    for (const [index, batch] of batchesOf(rows, rebuildBatchSize).entries()) {
      // Rows of long pages take milliseconds each.
      if (index > 0) yield* Effect.yieldNow
      yield* records.insertMany(searchParts, batch)
    }
    for (let at = 0; at < words.length; at += rebuildBatchSize) {
      yield* records.insertMissingUncounted(searchVocabulary, words.slice(at, at + rebuildBatchSize))
    }
    if (conditions.size === 0) return
    yield* records.insertMissingUncounted(
      searchAudiences,
      [...conditions].map(([audience, all]) => ({ ...space, audience, conditions: all }))
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
    remove: (derived: IndexedRows) => Effect.Effect<unknown, StorageUnavailable>,
    wordRowsOf: (space: VocabularySpace, derived: IndexedRows) => ReadonlyArray<SearchVocabularyRow>
  ): Effect.fn.Return<number, StorageUnavailable> {
    for (;;) {
      const head = yield* headOf(id)
      if (head === undefined) return 0
      const derived = yield* derive(head)
      const isDone = yield* lockedTransaction(
        Locks.space({ space: id }),
        Effect.gen(function* () {
          const current = yield* records.get(spaces, { id }, ["revision", "organization"])
          if (current === undefined) return true
          const { revision, organization } = current
          if (revision !== head.revision.id || organization !== head.space.organization) return false
          const space = { space: id, organization }
          yield* remove(derived)
          yield* insertRows(space, derived, wordRowsOf(space, derived))
          return true
        })
      )
      if (isDone) return new Set(derived.rows.map(({ page }) => page)).size
    }
  })

  return { insertRows, headOf, replaceRows }
})

const makeRebuilds = Effect.gen(function* () {
  const { lockedTransaction } = yield* Records
  const { replaceRows, headOf } = yield* makeReplacement
  const { storeOutlinesAndDeriveRows, deriveComputedRows, records } = yield* makeDerivation

  /** Rebuilds the index of a space. */
  const rebuild = (id: SpaceId): Effect.Effect<number, StorageUnavailable> =>
    replaceRows(
      id,
      Effect.fnUntraced(function* ({ space, revision, tree }) {
        const all = yield* tree.pages
        const derived: Array<IndexedRows> = []
        for (let at = 0; at < all.length; at += rebuildBatchSize) {
          const some = new Map(all.slice(at, at + rebuildBatchSize).map(({ id, page }) => [id, page]))
          derived.push(yield* storeOutlinesAndDeriveRows(space, tree, some))
          yield* Effect.yieldNow
        }
        return joinRows([...derived, yield* deriveComputedRows(space, revision, tree)])
      }),
      // The rows can be of the organization that had the space before.
      () =>
        Effect.gen(function* () {
          yield* records.remove(searchParts, Where.eq("space", id))
          yield* records.remove(searchVocabulary, Where.eq("space", id))
          yield* records.remove(searchAudiences, Where.eq("space", id))
        }),
      (space, { words }) => mergedRowsOf(space, new Set([...words.values()].flatMap((some) => [...some])))
    )

  /** Updates the rows of the pages of a space that are computed from specs. */
  const rebuildComputed = (id: SpaceId): Effect.Effect<number, StorageUnavailable> =>
    replaceRows(
      id,
      ({ space, revision, tree }) => deriveComputedRows(space, revision, tree),
      () => records.remove(searchParts, isComputed(id)),
      pageRowsOf
    )

  /** Merges some of the words of edited pages of a space into its vocabulary, and returns whether there are no further ones. */
  const mergeSomeWords = (space: SpaceId): Effect.Effect<boolean, StorageUnavailable> =>
    lockedTransaction(
      Locks.space({ space }),
      Effect.gen(function* () {
        const row = yield* records.get(spaces, { id: space }, ["organization"])
        return row === undefined || (yield* mergeWords(records, { space, ...row }))
      })
    )

  /** Whether a space has computed pages. */
  const hasComputedPages = Effect.fnUntraced(function* (
    id: SpaceId
  ): Effect.fn.Return<boolean, StorageUnavailable> {
    const head = yield* headOf(id)
    const pages = head === undefined ? [] : yield* head.tree.pages
    return pages.some(({ page }) => page.type === "computed")
  })

  return { rebuild, rebuildComputed, mergeSomeWords, hasComputedPages }
})

const makeUpdates = Effect.gen(function* () {
  const content = yield* ContentStore
  const outlines = yield* Outlines
  const jobs = yield* Jobs
  const { pagesWithInclusions, records, storeOutlinesAndDeriveRows, deriveRows, deriveComputedRows } =
    yield* makeDerivation
  const { insertRows } = yield* makeReplacement

  return {
    /**
     * Updates the index for a new revision of a space, whose content changes. Call it in the transaction that moves the
     * head. If a page is moved, renamed or hidden, its descendants are indexed again. If a reusable content changes, the pages that include any are indexed again.
     */
    updateForRevision: Effect.fnUntraced(function* (
      { id: space, organization }: IndexedSpace,
      { before, after, parsed }: IndexedRevision
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
        if (before !== emptyRoot) yield* records.removeUncounted(searchParts, isComputed(space))
        yield* jobs.enqueue(computedJobKind, { space })
      }
      if (changed.length === 0) return
      if (before !== emptyRoot) {
        yield* inBatches(changed, (some) =>
          records.removeUncounted(
            searchParts,
            Where.and<SearchPartRow>(Where.eq("space", space), Where.isIn("page", some))
          )
        )
      }
      const owned = { space, organization }
      const derived = yield* storeOutlinesAndDeriveRows({ id: space, organization }, tree, pages, parsed)
      const words = pageRowsOf(owned, derived)
      yield* insertRows(owned, derived, words)
      if (needsMerge(words)) yield* jobs.enqueue(wordsJobKind, { space })
      yield* outlines.removeReplaced(replaced, indexedBodiesOf(pages.values()))
    }),

    /** Derives the rows of pages from the outlines of their Markdown, without writing. */
    deriveRows,

    /** Derives the rows of the pages that are computed from specs, without writing. */
    deriveComputedRows
  }
})

const makeJobs = Effect.gen(function* () {
  const jobs = yield* Jobs
  const { rebuild, rebuildComputed, mergeSomeWords, hasComputedPages } = yield* makeRebuilds
  const { records } = yield* makeDerivation

  return {
    /** Enqueues a job that updates the computed pages of all spaces of an organization whose specs changed. */
    scheduleSpecs: (organization: OrganizationId): Effect.Effect<void, StorageUnavailable> =>
      jobs.enqueue(specsJobKind, { organization }),

    /** Enqueues a job that rebuilds the index of a space. */
    scheduleReindex: (space: SpaceId): Effect.Effect<void, StorageUnavailable> =>
      jobs.enqueue(reindexJobKind, { space }),

    /** Rebuilds the index of a space, and returns the number of its pages. Runs without a user. */
    rebuild,

    /** The handlers of the jobs that rebuild the index of a space, and of all spaces after a migration. */
    handlers: makeIndexHandlers(records, jobs, {
      rebuild,
      rebuildComputed,
      mergeSomeWords,
      hasComputedPages
    })
  }
})

const makeSearchIndex = Effect.gen(function* () {
  return { ...(yield* makeUpdates), ...(yield* makeJobs) }
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
