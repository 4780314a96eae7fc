/** Checks the data that is derived from content: the search index and the stored outlines. */

import { Trees as Tree } from "@lectern/content"
import {
  type BlobHash,
  type Check,
  type Tools as DoctorTools,
  type Examination,
  examination,
  jobs,
  type Problem,
  rowsWith,
  type Scan,
  type StorageUnavailable,
  Where
} from "@lectern/kernel"
import {
  type PageRecord,
  type Placed,
  type RevisionRow,
  revisions,
  type SearchPartRow,
  type SpaceRow,
  searchParts,
  spaces
} from "@lectern/kernel/tables"
import { type Outline, outlineOf } from "@lectern/markdown/outline"
import type { PageId, RevisionId } from "@lectern/model/content"
import { Effect } from "effect"
import type { ContentStore } from "../content/ContentStore.ts"
import { type Outlines, outlines, storedPartOf } from "../content/Outlines.ts"
import { computedJobKind, rebuildAllJobKind, reindexJobKind } from "./indexJobs.ts"
import { includesContent, indexedBodiesOf } from "./rowDerivation.ts"
import type { SearchIndex } from "./SearchIndex.ts"

const indexCheck: Check = {
  name: "search-index",
  invariant: "The search index contains exactly the visible pages of the primary content of each space.",
  source: "features/search/SearchIndex.ts",
  repair: "rebuilds the index of the space"
}

const outlinesCheck: Check = {
  name: "outlines",
  invariant: "A stored outline has the anchors and references of its Markdown.",
  source: "features/content/outline/Outlines.ts",
  repair: "extracts the outline again"
}

/** The number of pages per batch, whose Markdown is in memory together. */
const pageBatchSize = 200

/** The number of spaces between progress reports. */
const spaceBatchSize = 10

/** The services that derive the expected data. */
export interface SearchServices {
  readonly content: ContentStore["Service"]
  readonly outlines: Outlines["Service"]
  readonly search: SearchIndex["Service"]
}

type Tools = DoctorTools & SearchServices

type Space = Pick<SpaceRow, "id" | "organization" | "revision">

/** The differences of the derived data of a space from its content. */
interface Flaws {
  /** The number of rows by kind of difference. */
  readonly index: { missing: number; stale: number; extra: number }
  /** The hashes of the Markdown with a wrong outline. */
  readonly outlines: Array<BlobHash>
}

const rowName = ({ page, part }: Pick<SearchPartRow, "page" | "part">) => `${page} ${part}`

/** The compared columns of a row. A quick run omits columns that are derived from Markdown. */
const comparedColumns = (row: SearchPartRow, isQuick: boolean): string => {
  const { organization, name, nameWords, path, presentation, title } = row
  return canonicalJson(isQuick ? { organization, name, nameWords, path, presentation, title } : row)
}

/** Reads the rows of the index after the page `after`, up to and including the page `last`. */
const rowsBetween = (
  { records }: Tools,
  space: Space,
  after: PageId | undefined,
  last: PageId | undefined
): Effect.Effect<ReadonlyArray<SearchPartRow>, StorageUnavailable> =>
  records.find(searchParts, {
    where: Where.and<SearchPartRow>(
      Where.eq("space", space.id),
      Where.eq("source", ""),
      after === undefined ? Where.all : Where.gt("page", after),
      last === undefined ? Where.all : Where.lte("page", last)
    )
  })

/** Extracts the outlines of Markdown and compares them with the stored ones. A quick run returns empty outlines. */
const compareOutlines = Effect.fnUntraced(function* (
  tools: Tools,
  texts: ReadonlyArray<BlobHash>,
  flaws: Flaws
): Effect.fn.Return<ReadonlyMap<BlobHash, Outline>, StorageUnavailable> {
  if (tools.isQuick) return new Map(texts.map((hash) => [hash, outlineOf("")]))
  const parsed = yield* tools.outlines.parseAll(texts)
  for (const { hash, outline } of yield* rowsWith(tools.records, outlines, "hash", texts, [
    "hash",
    "outline"
  ])) {
    if (!isEqual(outline, storedPartOf(parsed.get(hash)!))) flaws.outlines.push(hash)
  }
  return parsed
})

/** Returns the pages with inclusions, if a reusable content is corrupt. */
const pagesWithDamagedInclusions = Effect.fnUntraced(function* (
  { damaged }: Tools,
  tree: Tree.Tree,
  pages: ReadonlyMap<PageId, PageRecord>,
  parsed: ReadonlyMap<BlobHash, Outline>
): Effect.fn.Return<ReadonlyArray<PageId>, StorageUnavailable> {
  if (damaged.size === 0) return []
  const contents = yield* tree.reusableContents
  if (!contents.some(([, { body }]) => body !== undefined && damaged.has(body))) return []
  return [...pages].flatMap(([id, { body }]) => {
    const outline = body === undefined ? undefined : parsed.get(body)
    return outline !== undefined && includesContent(outline) ? [id] : []
  })
})

/** Compares the expected rows of consecutive pages with the index in the same range of ids. */
const comparePages = Effect.fnUntraced(function* (
  tools: Tools,
  space: Space,
  tree: Tree.Tree,
  batch: ReadonlyArray<Placed>,
  between: readonly [after: PageId | undefined, last: PageId | undefined],
  flaws: Flaws
): Effect.fn.Return<void, StorageUnavailable> {
  // Corrupt Markdown is already a finding. Nothing can be derived from it.
  const isIntact = ({ page }: Placed) => page.body === undefined || !tools.damaged.has(page.body)
  const pages = new Map(batch.filter(isIntact).map(({ id, page }) => [id, page]))
  const corrupt = new Set(batch.flatMap((placed) => (isIntact(placed) ? [] : [placed.id])))
  const parsed = yield* compareOutlines(tools, [...new Set(indexedBodiesOf(pages.values()))], flaws)
  for (const id of yield* pagesWithDamagedInclusions(tools, tree, pages, parsed)) {
    pages.delete(id)
    corrupt.add(id)
  }
  const expected = new Map(
    (yield* tools.search.deriveRows(space, tree, pages, parsed)).rows.map((row) => [rowName(row), row])
  )
  for (const row of yield* rowsBetween(tools, space, ...between)) {
    // The number of parts of a page depends on its Markdown.
    if (corrupt.has(row.page) || (tools.isQuick && row.part > 0 && pages.has(row.page))) continue
    const expectedRow = expected.get(rowName(row))
    if (expectedRow === undefined) flaws.index.extra++
    else if (comparedColumns(expectedRow, tools.isQuick) !== comparedColumns(row, tools.isQuick))
      flaws.index.stale++
    expected.delete(rowName(row))
  }
  flaws.index.missing += expected.size
})

/** Whether two JSON values are equal, regardless of the order of keys. */
const isEqual = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other)

const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner
  )

/** Compares the rows of the pages that are computed from specs. A quick run does not generate these pages. */
const compareComputedPages = Effect.fnUntraced(function* (
  tools: Tools,
  space: SpaceRow,
  revision: RevisionRow,
  tree: Tree.Tree,
  flaws: Flaws
): Effect.fn.Return<void, StorageUnavailable> {
  if (tools.isQuick) return
  const expected = new Map(
    (yield* tools.search.deriveComputedRows(space, revision, tree)).rows.map((row) => [rowName(row), row])
  )
  const stored = yield* tools.records.find(searchParts, {
    where: Where.and<SearchPartRow>(Where.eq("space", space.id), Where.not(Where.eq("source", "")))
  })
  for (const row of stored) {
    const expectedRow = expected.get(rowName(row))
    if (expectedRow === undefined) flaws.index.extra++
    else if (comparedColumns(expectedRow, false) !== comparedColumns(row, false)) flaws.index.stale++
    expected.delete(rowName(row))
  }
  flaws.index.missing += expected.size
})

/** Compares the derived data of a space with its content, and retries if the space changed in the meantime. */
const compareSpace = Effect.fnUntraced(function* (
  tools: Tools,
  id: SpaceRow["id"]
): Effect.fn.Return<Flaws, StorageUnavailable> {
  for (;;) {
    const flaws: Flaws = { index: { missing: 0, stale: 0, extra: 0 }, outlines: [] }
    const space = yield* tools.records.get(spaces, { id })
    const revision = yield* tools.records.get(revisions, { id: space?.revision ?? ("" as RevisionId) })
    // A space with the revision of another space or of a change request is already a finding.
    const isOwn = revision !== undefined && revision.space === id && revision.changeRequest === null
    if (space === undefined || !isOwn) return flaws
    const tree = Tree.readTree(tools.content.maps, revision.root)
    const all = (yield* tree.pages).toSorted((one, other) => (one.id < other.id ? -1 : 1))
    let after: PageId | undefined
    for (let at = 0; at < Math.max(1, all.length); at += pageBatchSize) {
      const batch = all.slice(at, at + pageBatchSize)
      const last = at + pageBatchSize < all.length ? batch.at(-1)!.id : undefined
      yield* comparePages(tools, space, tree, batch, [after, last], flaws)
      after = last
    }
    yield* compareComputedPages(tools, space, revision, tree, flaws)
    const current = yield* tools.records.get(spaces, { id }, ["revision"])
    if (current === undefined || current.revision === space.revision) return flaws
  }
})

/**
 * Returns a function that returns whether a waiting job updates the index of a space, which may be incomplete. The job that rebuilds
 * the index after a migration updates every space, and a notice reports it.
 */
const findWaitingReindexes = Effect.fnUntraced(function* ({ records }: Tools) {
  const waiting = yield* records.find(jobs, {
    select: ["kind", "payload"],
    where: Where.and(
      Where.isIn("kind", [reindexJobKind, computedJobKind, rebuildAllJobKind]),
      Where.eq("state", "waiting")
    )
  })
  const isRebuilding = waiting.some(({ kind }) => kind === rebuildAllJobKind)
  const updated = new Set(
    waiting.map(({ payload }) => (payload as { readonly space?: string } | null)?.space)
  )
  return (space: string) => isRebuilding || updated.has(space)
})

const problemsOf = (tools: Tools, row: Space, flaws: Flaws, isWaiting: boolean): ReadonlyArray<Problem> => {
  const { missing, stale, extra } = flaws.index
  const hashes = flaws.outlines
  return [
    ...(isWaiting || missing + stale + extra === 0
      ? []
      : [
          {
            check: indexCheck,
            row,
            message: `has ${missing} missing, ${stale} stale and ${extra} extra rows in the search index`,
            repair: tools.search.rebuild(row.id)
          }
        ]),
    ...(hashes.length === 0
      ? []
      : [
          {
            check: outlinesCheck,
            row,
            message: `has ${hashes.length} stored outlines that do not match their Markdown, such as that of ${hashes[0]}`,
            repair: Effect.gen(function* () {
              for (const [hash, parsed] of yield* tools.outlines.parseAll(hashes)) {
                yield* tools.records.update(outlines, Where.eq("hash", hash), {
                  outline: storedPartOf(parsed)
                })
              }
            })
          }
        ])
  ]
}

const spaceExamination = (services: SearchServices): Examination =>
  examination(
    spaces,
    [indexCheck, outlinesCheck],
    Effect.fnUntraced(function* (given, rows) {
      const tools: Tools = { ...given, ...services }
      const problems: Array<Problem> = []
      const isWaiting = yield* findWaitingReindexes(tools)
      for (const row of rows) {
        if (tools.damaged.has(row.id)) continue
        problems.push(...problemsOf(tools, row, yield* compareSpace(tools, row.id), isWaiting(row.id)))
      }
      return problems
    }),
    { maximumRows: spaceBatchSize, isLong: true }
  )

/** Compares the search index and the stored outlines with the content of each space. */
export const searchScan = (services: SearchServices): Scan => ({
  what: "search index of spaces",
  over: spaces,
  examinations: [spaceExamination(services)]
})
