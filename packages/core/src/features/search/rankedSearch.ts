/** Searches the index: selects candidates in the store, and ranks them in the same way for every store. */

import type { GrantedReader } from "@lectern/access"
import {
  hasTerms,
  isQuestion,
  pinnedPages,
  type QueryTerm,
  rankedQueryOf,
  rankPages,
  weightOf
} from "@lectern/content"
import {
  type RankedPosition,
  type SearchHit,
  type SearchResult,
  type StorageUnavailable,
  Where
} from "@lectern/kernel"
import { inSpaces, type SearchPartRow, searchParts } from "@lectern/kernel/tables"
import { wordsOf } from "@lectern/markdown/text"
import type { SpaceId } from "@lectern/model/spaces"
import { Effect } from "effect"
import { isForAudience, keyOfHit, type RankedSearch, type RowsByPage, readRows } from "./candidateRows.ts"
import {
  type Candidates,
  candidateCount,
  findCandidates,
  isStage,
  type Stage,
  textSearchOf
} from "./candidates.ts"

/** The maximum number of pages whose titles start with the query. They are ranked in addition to the candidates. */
const maximumTitles = 20

/** The hits of a page of results, and the terms that they match. */
export interface RankedResult extends SearchResult {
  readonly terms: ReadonlyArray<QueryTerm>
  /** The corrections of misspelled words, the closest first; empty if the query is not corrected. */
  readonly corrections: ReadonlyMap<string, ReadonlyArray<string>>
  /** The rows of the pages of the hits. */
  readonly rows: RowsByPage
  /** The last stage of the list. */
  readonly stage: Stage
}

const idOf = ({ by }: RankedSearch, { scope, item }: SearchHit): string => (by === "items" ? item : scope)

/** Finds the pages whose titles start with the query, which the store may rank below its candidates. */
const findTitles = Effect.fnUntraced(function* (
  records: GrantedReader,
  search: RankedSearch,
  spaces: ReadonlyArray<SpaceId>
): Effect.fn.Return<ReadonlyArray<SearchHit>, StorageUnavailable> {
  const words = wordsOf(search.query).join(" ")
  if (words === "" || spaces.length === 0) return []
  const rows = yield* records.find(searchParts, {
    select: ["space", "page"],
    where: Where.and<SearchPartRow>(
      inSpaces({ organization: search.searched.organization, spaces }),
      Where.startsWith("nameWords", words),
      isForAudience(search)
    ),
    orderBy: ["space", "nameWords"],
    limit: maximumTitles
  })
  return rows.map(({ space, page }) => ({ scope: space, item: page, score: 0, best: 0 }))
})

/** Returns the pages in the searched spaces that are pinned to the query. */
const pinnedHits = ({ query, settings, searched }: RankedSearch): ReadonlyArray<SearchHit> =>
  pinnedPages(query, settings)
    .filter(({ space }) => searched.spaces.includes(space as SpaceId))
    .map(({ space, page }) => ({ scope: space, item: page, score: 0, best: 0 }))

/** Adds the pages that are pinned, or whose titles start with the query, to the candidates, and reads the rows of all. */
const readCandidates = Effect.fnUntraced(function* (
  records: GrantedReader,
  search: RankedSearch,
  { hits, count, stage, terms, rows: readAlready }: Candidates
): Effect.fn.Return<
  { readonly hits: ReadonlyArray<SearchHit>; readonly rows: RowsByPage },
  StorageUnavailable
> {
  const { spaces } = search.searched
  const scopes = spaces.length === 1 ? spaces : [...new Set(hits.map(({ scope }) => scope as SpaceId))]
  // A title that starts with the query contains all of its words, so that these pages are among all pages that match. In
  // a quote, and for suggestions, the last word can be incomplete.
  const hasAll =
    search.by === "items" &&
    search.titlesOnly !== true &&
    stage !== "any" &&
    count <= hits.length &&
    terms.every(({ isRequired }) => isRequired !== true)
  const titles = hasAll ? [] : yield* findTitles(records, search, scopes)
  const all = [
    ...new Map([...pinnedHits(search), ...titles, ...hits].map((hit) => [keyOfHit(hit), hit])).values()
  ]
  const unread = all.filter((hit) => !readAlready.has(keyOfHit(hit)))
  const rows = new Map([...readAlready, ...(yield* readRows(records, search, unread))])
  // A page can be removed between two reads.
  return { hits: all.filter((hit) => rows.has(keyOfHit(hit))), rows }
})

/** Orders ids by code point, as the stores do. Ids are ASCII. */
const compareIds = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** The score of a page with all terms, and that of a pinned page. Each exceeds every lower score with the highest weight. */
const [allTermsScore, pinnedScore] = [1_000_000, 10_000_000]

/**
 * Ranks the hits of candidates: entries by their best hit, and the hits of an entry by their scores, with all terms first unless the query
 * is a question.
 */
const rankHits = (
  search: RankedSearch,
  hits: ReadonlyArray<SearchHit>,
  rows: RowsByPage,
  { terms, partial }: Candidates
): ReadonlyArray<ReadonlyArray<SearchHit>> => {
  const scores = rankPages(
    rankedQueryOf(search.query, terms),
    hits.map((hit) => rows.get(keyOfHit(hit))!)
  )
  const pinned = pinnedHits(search).map(keyOfHit).toReversed()
  const strict = isQuestion(terms) ? new Set<string>() : partial
  const scored = hits.map((hit, index) => ({
    ...hit,
    score:
      scores[index]! * weightOf(search.settings, hit.scope, hit.item) +
      (strict.has(keyOfHit(hit)) ? 0 : allTermsScore) +
      pinnedScore * (pinned.indexOf(keyOfHit(hit)) + 1)
  }))
  return [...Map.groupBy(scored, (hit) => idOf(search, hit)).values()]
    .map((entry) => {
      const best = entry.sort((a, b) => b.score - a.score || compareIds(a.item, b.item)).slice(0, search.most)
      return best.map((hit) => ({ ...hit, best: best[0]!.score }))
    })
    .sort((a, b) => b[0]!.best - a[0]!.best || compareIds(idOf(search, a[0]!), idOf(search, b[0]!)))
}

/**
 * Returns the entries of a search that rank after `after`: first the candidates by their scores, which are positive, then
 * the other matches in the order of the store, with their scores negated, so that a cursor identifies its part. Candidates
 * on earlier pages are identified by their ids, because other pages change their scores.
 */
export const searchRanked = Effect.fnUntraced(function* (
  records: GrantedReader,
  search: RankedSearch,
  after: RankedPosition | undefined,
  limit: number
): Effect.fn.Return<RankedResult, StorageUnavailable> {
  const lastStage = after !== undefined && isStage(after.stage) ? after.stage : undefined
  const candidates = yield* findCandidates(records, search, lastStage)
  if (candidates === undefined)
    return { count: 0, hits: [], terms: [], rows: new Map(), corrections: new Map(), stage: "all" }
  const { count, terms, corrections, stage, last } = candidates
  const { hits, rows } = yield* readCandidates(records, search, candidates)
  const isInTail = after !== undefined && after.score <= 0
  const listed = new Set(after?.listed)
  const entries = isInTail
    ? []
    : rankHits(search, hits, rows, candidates).filter(([first]) => !listed.has(idOf(search, first!)))
  const ranked = entries.slice(0, limit).flat()
  const ids = new Set(hits.map((hit) => idOf(search, hit)))
  // Pages that are added for their titles are among the matches if they have all terms.
  const others = stage === "any" ? [] : hits.filter((hit) => candidates.named.has(keyOfHit(hit)))
  const further = new Set(
    others.filter((hit) => !hasTerms(rows.get(keyOfHit(hit))!, terms)).map((hit) => idOf(search, hit))
  )
  const result = { terms, corrections, stage, count: Math.max(count + further.size, ids.size) }
  const missing = limit - entries.length
  const hasTail = isInTail || count > candidateCount[search.by]
  if (missing <= 0 || last === undefined || !hasTail) {
    return { ...result, hits: ranked, rows }
  }
  const tailStart = isInTail
    ? { score: -after.score, id: after.id }
    : { score: last.best, id: idOf(search, last) }
  const excluded = isInTail ? listed : new Set([...ids, ...listed])
  const found = yield* records.search(
    searchParts,
    textSearchOf(search, candidates, missing + excluded.size, tailStart)
  )
  const tail = [...Map.groupBy(found.hits, (hit) => idOf(search, hit))]
    .filter(([id]) => !excluded.has(id))
    .slice(0, missing)
    .flatMap(([, entry]) => entry.map((hit) => ({ ...hit, best: -hit.best })))
  const tailRows = yield* readRows(records, search, tail)
  return {
    ...result,
    hits: [...ranked, ...tail.filter((hit) => tailRows.has(keyOfHit(hit)))],
    rows: new Map([...rows, ...tailRows])
  }
})
