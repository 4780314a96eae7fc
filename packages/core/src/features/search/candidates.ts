/**
 * Selects the candidates of a search, in stages: the pages with all terms, the pages with all corrected terms, the pages with
 * any term. A stage follows if the earlier ones find few pages. Pages with any term rank below the others.
 */
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
import { correctTerms, expandPrefix } from "./corrections.ts"
import { identifiersOf, parseSearchTerms, type QueryTerm } from "./searchTerms.ts"
import type { Synonyms } from "./synonyms.ts"

/** The number of candidates that are ranked. The store ranks further matches, below these. */
export const candidateCount = { items: 30, scopes: 5 } as const

/** The number of pages per space that are ranked in a search of several spaces. */
const candidatesPerScope = 15

/** The number of pages with all terms that are enough, so that pages with only some of the terms are not added. */
const enoughPages = 5

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

/** Returns the key of a page of a space. */
export const pageKey = (space: string, page: string): string => `${space}/${page}`

/** Returns the {@link pageKey} of a hit. */
export const keyOfHit = ({ scope, item }: SearchHit): string => pageKey(scope, item)

/** The stages, in order. */
export const stages = ["all", "corrected", "any"] as const

/** How pages match. */
export type Stage = (typeof stages)[number]

/** Whether a string, such as one of a cursor, is a stage. */
export const isStage = (name: string): name is Stage => (stages as ReadonlyArray<string>).includes(name)

/** The pages that match, in the order of the stages, and of the store within a stage. */
export interface Candidates {
  readonly hits: ReadonlyArray<SearchHit>
  /** The number of entries of the last stage, which include the entries of the earlier ones. */
  readonly count: number
  /** The last stage. Its further matches rank below the candidates. */
  readonly stage: Stage
  /** The terms of the last stage. */
  readonly terms: ReadonlyArray<QueryTerm>
  /** The last candidate of the last stage in the order of the store. */
  readonly last: SearchHit | undefined
  /** The {@link pageKey} of each page that has some of the terms only. These rank below the others. */
  readonly partial: ReadonlySet<string>
  /** The corrections of misspelled words, the closest first; empty if the query is not corrected. */
  readonly corrections: ReadonlyMap<string, ReadonlyArray<string>>
}

/** Returns the search of the store for terms. */
export const textSearchOf = (
  { pagesWhere, by, most, scope, audiences, titlesOnly = false }: RankedSearch,
  { terms, stage }: { readonly terms: ReadonlyArray<QueryTerm>; readonly stage: Stage },
  limit: number,
  after?: TextSearch["after"]
): TextSearch => ({
  terms,
  match: stage === "any" ? "any" : "all",
  titlesOnly,
  audiences,
  where: pagesWhere,
  by,
  most,
  limit,
  // The candidates are ranked by core.
  unranked: candidateCount[by],
  // The ranking in core prefers titles with all words, too.
  ...(stage !== "any" && !titlesOnly && terms.every(({ word }) => word !== undefined)
    ? { titlesFirst: candidateCount[by] }
    : {}),
  ...(scope === undefined ? {} : { scope }),
  ...(after === undefined ? {} : { after })
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

/** Whether a title contains each of the terms. */
const isTitleOfTerms = (title: string, terms: ReadonlyArray<QueryTerm>): boolean => {
  const padded = ` ${title} `
  return terms.every(
    ({ phrase, prefix, alternatives = [] }) =>
      [phrase, ...alternatives].some((words) => padded.includes(` ${words.join(" ")} `)) ||
      (prefix !== undefined && padded.includes(` ${prefix}`))
  )
}

/**
 * Whether the pages of a search with all terms are enough: there are several, or the query names one of them by its title.
 * Suggestions are enough if there is one.
 */
const isEnough = Effect.fnUntraced(function* (
  records: GrantedReader,
  search: RankedSearch,
  terms: ReadonlyArray<QueryTerm>,
  { hits }: SearchResult
): Effect.fn.Return<boolean, StorageUnavailable> {
  if (hits.length >= (search.titlesOnly === true ? 1 : enoughPages)) return true
  if (hits.length === 0) return false
  const rows = yield* records.find(searchPages, { select: ["title"], where: whereHits(search, hits) })
  return rows.some(({ title }) => isTitleOfTerms(title, terms))
})

/** Joins results of several searches, without repetitions. */
const joinHits = (results: ReadonlyArray<SearchResult>): ReadonlyArray<SearchHit> => {
  const hits = new Map<string, SearchHit>()
  for (const hit of results.flatMap((result) => result.hits)) {
    const key = keyOfHit(hit)
    if (!hits.has(key)) hits.set(key, hit)
  }
  return [...hits.values()]
}

/** Adds the identifiers of a query as phrases to its terms. Returns `undefined` for a query without identifiers. */
const withIdentifiers = (
  { query }: RankedSearch,
  terms: ReadonlyArray<QueryTerm>
): ReadonlyArray<QueryTerm> | undefined => {
  const identifiers = identifiersOf(query)
  return identifiers.length === 0 ? undefined : [...terms, ...identifiers.map((phrase) => ({ phrase }))]
}

/**
 * Finds the candidates of a search, or returns `undefined` for a query without words. `lastStage` is the one of an earlier
 * page of the same list, which this page continues.
 */
export const findCandidates = Effect.fnUntraced(function* (
  records: GrantedReader,
  search: RankedSearch,
  lastStage: Stage | undefined
): Effect.fn.Return<Candidates | undefined, StorageUnavailable> {
  const parsed = parseSearchTerms(search.query, search.synonyms)
  if (parsed.length === 0) return undefined
  const { wordsWhere } = search
  const terms = search.titlesOnly === true ? yield* expandPrefix(records, wordsWhere, parsed) : parsed
  const limit = candidateCount[search.by]
  const find = (some: ReadonlyArray<QueryTerm>, stage: Stage) =>
    records.search(
      searchPages,
      textSearchOf({ ...search, most: candidatesPerScope }, { terms: some, stage }, limit)
    )
  const noCorrections: Candidates["corrections"] = new Map()
  /** Returns candidates, the pages of `results` with all terms, and of the `last` one, whose further matches follow. */
  const candidatesOf = (
    stage: Stage,
    results: ReadonlyArray<SearchResult>,
    last: SearchResult,
    lastTerms: ReadonlyArray<QueryTerm>,
    corrections = noCorrections
  ): Candidates => {
    const withAll = new Set(results.flatMap(({ hits }) => hits.map(keyOfHit)))
    return {
      stage,
      hits: joinHits([...results, last]),
      partial: new Set(last.hits.map(keyOfHit).filter((key) => !withAll.has(key))),
      terms: lastTerms,
      count: last.count,
      last: last.hits.at(-1),
      corrections
    }
  }
  const withAll = yield* find(terms, "all")
  if (
    lastStage === "all" ||
    (lastStage === undefined && (yield* isEnough(records, search, terms, withAll)))
  ) {
    // Among many pages with the words of an identifier, the store may not prefer the pages with the identifier.
    const identified = withAll.hits.length < candidateCount.items ? undefined : withIdentifiers(search, terms)
    const found = identified === undefined ? [] : [yield* find(identified, "all")]
    return candidatesOf("all", [withAll, ...found], withAll, terms)
  }
  const corrected = yield* correctTerms(records, wordsWhere, terms, withAll.count === 0)
  const { terms: lastTerms, words } = corrected ?? { terms, words: noCorrections }
  const withCorrections = corrected === undefined ? withAll : yield* find(lastTerms, "corrected")
  if (
    lastStage === "corrected" ||
    lastTerms.length === 1 ||
    // A quoted phrase is required.
    lastTerms.some(({ isRequired }) => isRequired === true) ||
    (lastStage === undefined && (yield* isEnough(records, search, lastTerms, withCorrections)))
  ) {
    return candidatesOf("corrected", [withAll, withCorrections], withCorrections, lastTerms, words)
  }
  const withAny = yield* find(lastTerms, "any")
  return candidatesOf("any", [withAll, withCorrections], withAny, lastTerms, words)
})
