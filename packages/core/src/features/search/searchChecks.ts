/** What follows from the content of spaces: what pages are found by, and what texts link to (decisions D6 and D7). */
import { Effect } from "effect"
import {
  type Check,
  type Tools as DoctorTools,
  type Examination,
  examination,
  type Problem,
  type Scan
} from "../../kernel/doctor/Check.ts"
import { rowsWith } from "../../kernel/doctor/lookups.ts"
import { jobs } from "../../kernel/jobs/Job.ts"
import { type BlobHash, type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import type { Placed } from "../../model/content/ContentRecord.ts"
import type { PageId } from "../../model/content/Page.ts"
import { type RevisionId, revisions } from "../../model/content/Revision.ts"
import { type SearchPageRow, searchPages } from "../../model/search/SearchPage.ts"
import { type SpaceRow, spaces } from "../../model/spaces/Space.ts"
import type { ContentStore } from "../content/ContentStore.ts"
import { type Outline, outlineOf } from "../content/outline/Outline.ts"
import { type Outlines, outlines, storedPartOf } from "../content/outline/Outlines.ts"
import * as Tree from "../content/Tree.ts"
import { indexSpace, type SearchIndex, textsOf } from "./SearchIndex.ts"

export const index: Check = {
  name: "search-index",
  says: "Searches find the pages of a space, as they are, and nothing else.",
  source: "search/SearchIndex.ts",
  repair: "finds all pages of the space anew"
}

export const outline: Check = {
  name: "outlines",
  says: "What is kept of a text, its anchors and what it refers to, is what is in it.",
  source: "content/outline/Outlines.ts",
  repair: "takes the text apart again"
}

/** How many pages of a space are compared together: their texts are in memory then. */
const pagesAtOnce = 200

/** How many spaces are gone through before it is said how far that is. */
const spacesAtOnce = 10

/** The services that the search index is compared with. */
export interface SearchServices {
  readonly content: ContentStore["Service"]
  readonly outlines: Outlines["Service"]
  readonly search: SearchIndex["Service"]
}

type Tools = DoctorTools & SearchServices

type Space = Pick<SpaceRow, "id" | "revision">

/** What is wrong with what is found of a space. */
interface Flaws {
  readonly index: { missing: number; stale: number; extra: number }
  readonly outlines: Array<BlobHash>
}

const rowName = ({ page, part }: Pick<SearchPageRow, "page" | "part">) => `${page} ${part}`

/** Rows as they are compared: without the order of their columns, and quickly without what follows from texts. */
const contentOf = ({ name, path, title, body, forms, passages }: SearchPageRow, isQuick: boolean): string =>
  JSON.stringify(
    isQuick
      ? [name, path, title]
      : [name, path, title, body, forms, passages.map(({ title, anchor, text }) => [title, anchor, text])]
  )

/** The rows of the index from behind one page to another, which may be the end. */
const rowsBetween = (
  { records }: Tools,
  space: Space,
  after: PageId | undefined,
  last: PageId | undefined
): Effect.Effect<ReadonlyArray<SearchPageRow>, StorageUnavailable> =>
  records.find(searchPages, {
    where: Where.and<SearchPageRow>(
      Where.eq("space", space.id),
      after === undefined ? Where.all : Where.gt("page", after),
      last === undefined ? Where.all : Where.lte("page", last)
    )
  })

/** The outlines of texts, each beside what is kept of it; quickly, those of nothing. */
const outlinesOf = Effect.fnUntraced(function* (
  tools: Tools,
  texts: ReadonlyArray<BlobHash>,
  flaws: Flaws
): Effect.fn.Return<ReadonlyMap<BlobHash, Outline>, StorageUnavailable> {
  if (tools.isQuick) return new Map(texts.map((hash) => [hash, outlineOf("")]))
  const made = yield* tools.outlines.parseAll(texts)
  for (const { hash, outline } of yield* rowsWith(tools.records, outlines, "hash", texts, [
    "hash",
    "outline"
  ])) {
    if (!isEqual(outline, storedPartOf(made.get(hash)!))) flaws.outlines.push(hash)
  }
  return made
})

/** Compares some pages of a space with what is found of them, and of all that is not there between them. */
const compare = Effect.fnUntraced(function* (
  tools: Tools,
  space: Space,
  tree: Tree.Tree,
  some: ReadonlyArray<Placed>,
  between: readonly [after: PageId | undefined, last: PageId | undefined],
  flaws: Flaws
): Effect.fn.Return<void, StorageUnavailable> {
  // A text whose bytes are others by now has a finding already, and nothing follows from it.
  const isSound = ({ page }: Placed) => page.body === undefined || !tools.damaged.has(page.body)
  const pages = new Map(some.filter(isSound).map(({ id, page }) => [id, page]))
  const unsound = new Set(some.flatMap((one) => (isSound(one) ? [] : [one.id])))
  const made = yield* outlinesOf(tools, [...new Set(textsOf(pages.values()))], flaws)
  const expected = new Map(
    (yield* tools.search.rowsBy(space.id, tree, pages, made)).map((row) => [rowName(row), row])
  )
  for (const row of yield* rowsBetween(tools, space, ...between)) {
    // Into how many parts a page is divided follows from its text.
    if (unsound.has(row.page) || (tools.isQuick && row.part > 0 && pages.has(row.page))) continue
    const real = expected.get(rowName(row))
    if (real === undefined) flaws.index.extra++
    else if (contentOf(real, tools.isQuick) !== contentOf(row, tools.isQuick)) flaws.index.stale++
    expected.delete(rowName(row))
  }
  flaws.index.missing += expected.size
})

/** Whether two values of JSON are the same, whatever the order of their fields. */
const isEqual = (one: unknown, other: unknown): boolean => inOrder(one) === inOrder(other)

const inOrder = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner
  )

/** Looks through a space as it is at one moment; where it changes meanwhile, it is looked through again. */
const lookThrough = Effect.fnUntraced(function* (
  tools: Tools,
  id: SpaceRow["id"]
): Effect.fn.Return<Flaws, StorageUnavailable> {
  for (;;) {
    const flaws: Flaws = { index: { missing: 0, stale: 0, extra: 0 }, outlines: [] }
    const space = yield* tools.records.get(spaces, { id }, ["id", "revision"])
    const head = { id: space?.revision ?? ("" as RevisionId) }
    const revision = yield* tools.records.get(revisions, head, ["root", "space", "changeRequest"])
    // A space that names a revision that is not its own has a finding already.
    const isOwn = revision !== undefined && revision.space === id && revision.changeRequest === null
    if (space === undefined || !isOwn) return flaws
    const tree = Tree.readTree(tools.content.maps, revision.root)
    const all = (yield* tree.pages).toSorted((one, other) => (one.id < other.id ? -1 : 1))
    let after: PageId | undefined
    for (let at = 0; at < Math.max(1, all.length); at += pagesAtOnce) {
      const some = all.slice(at, at + pagesAtOnce)
      const last = at + pagesAtOnce < all.length ? some.at(-1)!.id : undefined
      yield* compare(tools, space, tree, some, [after, last], flaws)
      after = last
    }
    const now = yield* tools.records.get(spaces, { id }, ["revision"])
    if (now === undefined || now.revision === space.revision) return flaws
  }
})

/** The spaces that a job is to go through: they are found once it has. */
const awaited = Effect.fnUntraced(function* ({ records }: Tools) {
  const waiting = yield* records.find(jobs, {
    select: ["payload"],
    where: Where.and(Where.eq("kind", indexSpace), Where.eq("state", "waiting"))
  })
  return new Set(waiting.map(({ payload }) => (payload as { readonly space?: string }).space))
})

const problemsOf = (tools: Tools, row: Space, flaws: Flaws, isAwaited: boolean): ReadonlyArray<Problem> => {
  const { missing, stale, extra } = flaws.index
  const hashes = flaws.outlines
  return [
    ...(isAwaited || missing + stale + extra === 0
      ? []
      : [
          {
            check: index,
            row,
            message: `has ${missing} entries missing, ${stale} that are not as its pages are, and ${extra} of nothing`,
            mend: tools.search.rebuild(row.id)
          }
        ]),
    ...(hashes.length === 0
      ? []
      : [
          {
            check: outline,
            row,
            message: `has ${hashes.length} texts of which something else is kept, as of ${hashes[0]}`,
            mend: Effect.gen(function* () {
              for (const [hash, made] of yield* tools.outlines.parseAll(hashes)) {
                yield* tools.records.update(outlines, Where.eq("hash", hash), { outline: storedPartOf(made) })
              }
            })
          }
        ])
  ]
}

const spaceExamination = (services: SearchServices): Examination =>
  examination(
    spaces,
    [index, outline],
    Effect.fnUntraced(function* (given, rows) {
      const tools: Tools = { ...given, ...services }
      const problems: Array<Problem> = []
      const waiting = yield* awaited(tools)
      for (const row of rows) {
        if (tools.damaged.has(row.id)) continue
        problems.push(...problemsOf(tools, row, yield* lookThrough(tools, row.id), waiting.has(row.id)))
      }
      return problems
    }),
    { atOnce: spacesAtOnce, isLong: true }
  )

/** The pass that compares the search index, and the stored outlines, with the content of each space. */
export const searchScan = (services: SearchServices): Scan => ({
  what: "search index of spaces",
  over: spaces,
  examinations: [spaceExamination(services)]
})
