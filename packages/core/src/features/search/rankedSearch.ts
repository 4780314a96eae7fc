/** Searches the index: selects candidates in the store, and ranks them in the same way for every store. */
import { Effect } from "effect"
import type { GrantedReader } from "../../access/grants/Grant.ts"
import type { RankedPosition } from "../../kernel/pagination/paginate.ts"
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
import { correctTerms, expandPrefix } from "./corrections.ts"
import { rankedQueryOf, rankPages } from "./ranking.ts"
import { parseSearchTerms, type QueryTerm } from "./searchTerms.ts"
import type { Synonyms } from "./synonyms.ts"
import { wordsOf } from "./words.ts"

/** The number of candidates that are ranked. The store ranks further matches, below these. */
const candidateCount = { items: 30, scopes: 5 } as const

/** The number of pages per space that are ranked in a search of several spaces. */
const candidatesPerScope = 15

/** The maximum number of pages whose titles start with the query. They are ranked in addition to the candidates. */
const maximumTitles = 20

/** Where and how to search. */
export interface RankedSearch extends Pick<TextSearch, "scope" | "by" | "most" | "titlesOnly"> {
  readonly query: string
  /** The audiences that the caller belongs to. */
  readonly audiences: ReadonlyArray<string>
  readonly synonyms: Synonyms
  /** The condition on the spaces of pages. */
  readonly pagesWhere: Where.Where<SearchPageRow>
  /** The condition on the spaces of the vocabulary. */
  readonly wordsWhere: Where.Where<SearchWordRow>
}

/** The columns of rows that are read for each candidate. The passages are read for the results only. */
const candidateColumns = [
  "space",
  "page",
  "part",
  "name",
  "nameWords",
  "path",
  "presentation",
  "title",
  "headings",
  "body",
  "kinds"
] as const

/** A row of a candidate. */
export type CandidateRow = Pick<SearchPageRow, (typeof candidateColumns)[number]>

/** The rows of pages by {@link pageKey}. */
export type RowsByPage = ReadonlyMap<string, ReadonlyArray<CandidateRow>>

/** The hits of a page of results, and the terms that they match. */
export interface RankedResult extends SearchResult {
  readonly terms: ReadonlyArray<QueryTerm>
  /** The corrections of misspelled words, the closest first; empty if the query is not corrected. */
  readonly corrections: ReadonlyMap<string, ReadonlyArray<string>>
  /** The rows of the pages of the hits. */
  readonly rows: RowsByPage
}

/** Pages that match, in the store's order. */
interface Candidates extends Omit<RankedResult, "rows"> {
  readonly match: "all" | "any"
}

/** Returns the key of a page of a space. */
export const pageKey = (space: string, page: string): string => `${space}/${page}`

const keyOfHit = ({ scope, item }: SearchHit): string => pageKey(scope, item)

const idOf = ({ by }: RankedSearch, { scope, item }: SearchHit): string => (by === "items" ? item : scope)

const textSearchOf = (
  { pagesWhere, by, most, scope, audiences, titlesOnly = false }: RankedSearch,
  { terms, match }: Pick<Candidates, "terms" | "match">,
  limit: number,
  after?: TextSearch["after"]
): TextSearch => ({
  terms,
  match,
  titlesOnly,
  audiences,
  where: pagesWhere,
  by,
  most,
  limit,
  // These candidates are ranked here.
  unranked: candidateCount[by],
  // The ranking here prefers titles with all words, too.
  ...(match === "all" && !titlesOnly && terms.every(({ word }) => word !== undefined)
    ? { titlesFirst: candidateCount[by] }
    : {}),
  ...(scope === undefined ? {} : { scope }),
  ...(after === undefined ? {} : { after })
})

/** The condition on the rows of the audiences of a search. */
const isForAudience = ({ audiences }: RankedSearch) =>
  Where.isIn<SearchPageRow, "audience">("audience", ["", ...audiences])

/** Reads the rows of the pages of hits. */
export const readRows = Effect.fnUntraced(function* (
  records: GrantedReader,
  search: RankedSearch,
  hits: ReadonlyArray<SearchHit>
): Effect.fn.Return<RowsByPage, StorageUnavailable> {
  if (hits.length === 0) return new Map()
  const rows = yield* records.find(searchPages, {
    select: [...candidateColumns],
    where: Where.and<SearchPageRow>(whereHits(search, hits), isForAudience(search)),
    orderBy: ["space", "page", "part"]
  })
  return Map.groupBy(rows, ({ space, page }) => pageKey(space, page))
})

/** The condition on the rows of the pages of hits. */
export const whereHits = (
  { scope }: RankedSearch,
  hits: ReadonlyArray<SearchHit>
): Where.Where<SearchPageRow> =>
  Where.and<SearchPageRow>(
    scope === undefined
      ? Where.isIn("space", [...new Set(hits.map((hit) => hit.scope as SpaceId))])
      : Where.eq("space", scope as SpaceId),
    Where.isIn("page", [...new Set(hits.map(({ item }) => item as PageId))])
  )

/** Finds the pages whose titles start with the query, which the store may rank below its candidates. */
const findTitles = Effect.fnUntraced(function* (
  records: GrantedReader,
  search: RankedSearch,
  spaces: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<SearchHit>, StorageUnavailable> {
  const words = wordsOf(search.query).join(" ")
  if (words === "" || spaces.length === 0) return []
  const rows = yield* records.find(searchPages, {
    select: ["space", "page"],
    where: Where.and<SearchPageRow>(
      spaces.length === 1
        ? Where.eq("space", spaces[0]! as SpaceId)
        : Where.isIn("space", spaces as ReadonlyArray<SpaceId>),
      Where.startsWith("nameWords", words),
      isForAudience(search)
    ),
    orderBy: ["space", "nameWords"],
    limit: maximumTitles
  })
  return rows.map(({ space, page }) => ({ scope: space, item: page, score: 0, best: 0 }))
})

/**
 * Finds the candidates: the pages with all terms. Without such a page, finds the pages with all corrected terms, and
 * without such a page either, the pages with any term.
 */
const findCandidates = Effect.fnUntraced(function* (
  records: GrantedReader,
  search: RankedSearch
): Effect.fn.Return<Candidates | undefined, StorageUnavailable> {
  const parsed = parseSearchTerms(search.query, search.synonyms)
  if (parsed.length === 0) return undefined
  const terms = search.titlesOnly === true ? yield* expandPrefix(records, search.wordsWhere, parsed) : parsed
  const find = (
    someTerms: ReadonlyArray<QueryTerm>,
    match: "all" | "any",
    corrections: ReadonlyMap<string, ReadonlyArray<string>> = new Map()
  ) =>
    Effect.map(
      records.search(
        searchPages,
        textSearchOf(
          { ...search, most: candidatesPerScope },
          { terms: someTerms, match },
          candidateCount[search.by]
        )
      ),
      (result): Candidates => ({ ...result, terms: someTerms, match, corrections })
    )
  const withAll = yield* find(terms, "all")
  if (withAll.count > 0) return withAll
  const corrected = yield* correctTerms(records, search.wordsWhere, terms)
  if (corrected !== undefined) {
    const withCorrections = yield* find(corrected.terms, "all", corrected.words)
    if (withCorrections.count > 0) return withCorrections
  }
  const optional = corrected?.terms ?? terms
  // A quoted phrase is required.
  if (optional.length === 1 || optional.some(({ isRequired }) => isRequired === true)) return withAll
  return yield* find(optional, "any", corrected?.words)
})

/** Adds the pages whose titles start with the query to the candidates, and reads the rows of all. */
const readCandidates = Effect.fnUntraced(function* (
  records: GrantedReader,
  search: RankedSearch,
  { hits, count, match, terms }: Candidates
): Effect.fn.Return<
  { readonly hits: ReadonlyArray<SearchHit>; readonly rows: RowsByPage },
  StorageUnavailable
> {
  const scopes = search.scope === undefined ? [...new Set(hits.map(({ scope }) => scope))] : [search.scope]
  // A title that starts with the query contains all of its words, so that these pages are among all pages that match. In
  // a quote, and for suggestions, the last word can be incomplete.
  const hasAll =
    search.by === "items" &&
    search.titlesOnly !== true &&
    match === "all" &&
    count <= hits.length &&
    terms.every(({ isRequired }) => isRequired !== true)
  const titles = hasAll ? [] : yield* findTitles(records, search, scopes)
  const all = [...new Map([...titles, ...hits].map((hit) => [keyOfHit(hit), hit])).values()]
  const rows = yield* readRows(records, search, all)
  // A page can be removed between two reads.
  return { hits: all.filter((hit) => rows.has(keyOfHit(hit))), rows }
})

/** Orders ids by code point, as the stores do. Ids are ASCII. */
const compareIds = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Ranks the hits of candidates: entries by their best hit, and the hits of an entry by their scores. */
const rankHits = (
  search: RankedSearch,
  hits: ReadonlyArray<SearchHit>,
  rows: RowsByPage,
  terms: ReadonlyArray<QueryTerm>
): ReadonlyArray<ReadonlyArray<SearchHit>> => {
  const scores = rankPages(
    rankedQueryOf(search.query, terms),
    hits.map((hit) => rows.get(keyOfHit(hit))!)
  )
  const scored = hits.map((hit, index) => ({ ...hit, score: scores[index]! }))
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
  const candidates = yield* findCandidates(records, search)
  if (candidates === undefined)
    return { count: 0, hits: [], terms: [], rows: new Map(), corrections: new Map() }
  const { count, terms, corrections } = candidates
  const { hits, rows } = yield* readCandidates(records, search, candidates)
  const isInTail = after !== undefined && after.score <= 0
  const listed = new Set(after?.listed)
  const entries = isInTail
    ? []
    : rankHits(search, hits, rows, terms).filter(([first]) => !listed.has(idOf(search, first!)))
  const ranked = entries.slice(0, limit).flat()
  const ids = new Set(hits.map((hit) => idOf(search, hit)))
  const result = { terms, corrections, count: Math.max(count, ids.size) }
  const missing = limit - entries.length
  const last = candidates.hits.at(-1)
  const hasTail = isInTail || count > candidateCount[search.by]
  if (missing <= 0 || last === undefined || !hasTail) {
    return { ...result, hits: ranked, rows }
  }
  const tailStart = isInTail
    ? { score: -after.score, id: after.id }
    : { score: last.best, id: idOf(search, last) }
  const excluded = isInTail ? listed : new Set([...ids, ...listed])
  const found = yield* records.search(
    searchPages,
    textSearchOf(search, candidates, missing + maximumTitles + listed.size, tailStart)
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
