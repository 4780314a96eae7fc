/** Searches the index: selects candidates in the store, and ranks them in the same way for every store. */
import { Effect } from "effect"
import type { GrantedReader } from "../../access/grants/Grant.ts"
import {
  type SearchHit,
  type SearchResult,
  type StorageUnavailable,
  type TextSearch,
  Where
} from "../../kernel/storage/index.ts"
import type { PageId } from "../../model/content/Page.ts"
import { type SearchPageRow, type SearchWordRow, searchPages } from "../../model/search/SearchPage.ts"
import type { SpaceId } from "../../model/spaces/Space.ts"
import { correctTerms } from "./corrections.ts"
import { type RankedRow, rankedQueryOf, rankPages } from "./ranking.ts"
import { parseSearchTerms, type QueryTerm } from "./searchTerms.ts"

/** The number of candidates that are ranked. The store ranks further matches, below these. */
const candidateCount = { items: 40, scopes: 5 } as const

/** The number of pages per space that are ranked in a search of several spaces. */
const candidatesPerScope = 15

/** Where and how to search. */
export interface RankedSearch extends Pick<TextSearch, "scope" | "by" | "most"> {
  readonly query: string
  /** The condition on the spaces of pages. */
  readonly pagesWhere: Where.Where<SearchPageRow>
  /** The condition on the spaces of the vocabulary. */
  readonly wordsWhere: Where.Where<SearchWordRow>
}

/** The hits of a page of results, and the terms that they match. */
export interface RankedResult extends SearchResult {
  readonly terms: ReadonlyArray<QueryTerm>
}

/** Terms that match at least one page, in the store's order. */
interface Candidates extends RankedResult {
  readonly match: "all" | "any"
}

const idOf = ({ by }: RankedSearch, { scope, item }: SearchHit): string => (by === "items" ? item : scope)

const textSearchOf = (
  { pagesWhere, by, most, scope }: RankedSearch,
  { terms, match }: Pick<Candidates, "terms" | "match">,
  limit: number,
  after?: TextSearch["after"]
): TextSearch => ({
  terms,
  match,
  where: pagesWhere,
  by,
  most,
  limit,
  ...(scope === undefined ? {} : { scope }),
  ...(after === undefined ? {} : { after })
})

/**
 * Finds the candidates: the pages with all terms. Without such a page, finds the pages with all corrected terms, and
 * without such a page either, the pages with any term.
 */
const findCandidates = Effect.fnUntraced(function* (
  records: GrantedReader,
  search: RankedSearch
): Effect.fn.Return<Candidates | undefined, StorageUnavailable> {
  const terms = parseSearchTerms(search.query)
  if (terms.length === 0) return undefined
  const find = (someTerms: ReadonlyArray<QueryTerm>, match: "all" | "any") =>
    Effect.map(
      records.search(
        searchPages,
        textSearchOf(
          { ...search, most: candidatesPerScope },
          { terms: someTerms, match },
          candidateCount[search.by]
        )
      ),
      (result): Candidates => ({ ...result, terms: someTerms, match })
    )
  const withAll = yield* find(terms, "all")
  if (withAll.count > 0) return withAll
  const corrected = yield* correctTerms(records, search.wordsWhere, terms)
  if (corrected !== undefined) {
    const withCorrections = yield* find(corrected, "all")
    if (withCorrections.count > 0) return withCorrections
  }
  // A quoted phrase is required.
  const optional = corrected ?? terms
  if (optional.length === 1 || optional.some(({ word }) => word === undefined)) return withAll
  return yield* find(optional, "any")
})

/** Reads the rows of candidates, and returns their scores by space and page. */
const scoreCandidates = Effect.fnUntraced(function* (
  records: GrantedReader,
  query: string,
  { hits, terms }: Candidates
): Effect.fn.Return<ReadonlyMap<string, number>, StorageUnavailable> {
  if (hits.length === 0) return new Map()
  const rows = yield* records.find(searchPages, {
    select: ["space", "page", "part", "name", "path", "title", "headings", "body"],
    where: Where.and<SearchPageRow>(
      Where.isIn("space", [...new Set(hits.map(({ scope }) => scope as SpaceId))]),
      Where.isIn("page", [...new Set(hits.map(({ item }) => item as PageId))])
    ),
    orderBy: ["space", "page", "part"]
  })
  const pages = Map.groupBy(rows, ({ space, page }) => `${space}/${page}`)
  const parts: ReadonlyArray<ReadonlyArray<RankedRow>> = [...pages.values()]
  const scores = rankPages(rankedQueryOf(query, terms), parts)
  return new Map([...pages.keys()].map((key, index) => [key, scores[index]!]))
})

/** Orders ids by code point, as the stores do. Ids are ASCII. */
const compareIds = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Ranks the hits of candidates: entries by their best hit, and the hits of an entry by their scores. */
const rankHits = (
  search: RankedSearch,
  hits: ReadonlyArray<SearchHit>,
  scores: ReadonlyMap<string, number>
): ReadonlyArray<ReadonlyArray<SearchHit>> =>
  [...Map.groupBy(hits, (hit) => idOf(search, hit)).values()]
    .map((entry) => {
      const scored = entry
        .map((hit) => ({ ...hit, score: scores.get(`${hit.scope}/${hit.item}`) ?? 0 }))
        .sort((a, b) => b.score - a.score || compareIds(a.item, b.item))
        .slice(0, search.most)
      return scored.map((hit) => ({ ...hit, best: scored[0]!.score }))
    })
    .sort((a, b) => b[0]!.best - a[0]!.best || compareIds(idOf(search, a[0]!), idOf(search, b[0]!)))

/**
 * Returns the entries of a search that rank after `after`: first the candidates by their scores, which are positive, then
 * the other matches in the order of the store, with their scores negated, so that a cursor identifies its part.
 */
export const searchRanked = Effect.fnUntraced(function* (
  records: GrantedReader,
  search: RankedSearch,
  after: TextSearch["after"],
  limit: number
): Effect.fn.Return<RankedResult, StorageUnavailable> {
  const candidates = yield* findCandidates(records, search)
  if (candidates === undefined) return { count: 0, hits: [], terms: [] }
  const { count, terms, hits } = candidates
  const isInTail = after !== undefined && after.score <= 0
  const entries = isInTail
    ? []
    : rankHits(search, hits, yield* scoreCandidates(records, search.query, candidates)).filter(([first]) => {
        const [best, id] = [first!.best, idOf(search, first!)]
        return after === undefined || best < after.score || (best === after.score && id > after.id)
      })
  const ranked = entries.slice(0, limit).flat()
  const missing = limit - entries.length
  const last = hits.at(-1)
  if (missing <= 0 || last === undefined || count <= candidateCount[search.by]) {
    return { count, terms, hits: ranked }
  }
  const tailStart = isInTail
    ? { score: -after.score, id: after.id }
    : { score: last.best, id: idOf(search, last) }
  const tail = yield* records.search(searchPages, textSearchOf(search, candidates, missing, tailStart))
  return { count, terms, hits: [...ranked, ...tail.hits.map((hit) => ({ ...hit, best: -hit.best }))] }
})
