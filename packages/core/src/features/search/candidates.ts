/**
 * Selects the candidates of a search, in stages: the pages with all terms and with identifiers as a whole, the pages with all
 * terms, the pages with all corrected terms, the pages with any term. A stage follows if the earlier ones find few pages. Pages whose title has a
 * term of a question are added. Pages with only some terms rank below the others, except for questions.
 */

import type { GrantedReader } from "@lectern/access"
import {
  isQuestion,
  isTitleOfTerms,
  parseSearchTerms,
  type QueryTerm,
  withCamelCase,
  withIdentifiers
} from "@lectern/content"
import {
  type SearchHit,
  type SearchResult,
  type StorageUnavailable,
  type TextSearch,
  Where
} from "@lectern/kernel"
import { type SearchPartRow, searchParts } from "@lectern/kernel/tables"
import { Effect } from "effect"
import { keyOfHit, type RankedSearch, type RowsByPage, readRows } from "./candidateRows.ts"
import { correctTerms, expandPrefix } from "./corrections.ts"

/** The number of candidates that are ranked. The store ranks further matches, below these. */
export const candidateCount = { items: 30, scopes: 5 } as const

/** The number of pages per space that are ranked in a search of several spaces. */
const candidatesPerScope = 15

/** The number of pages that are added because their titles have terms of a question. */
const namedPages = 15

/** The number of pages with all terms that are enough, so that pages with only some of the terms are not added. */
const enoughPages = 5

/** The stages, in order. */
export const stages = ["whole", "all", "corrected", "any"] as const

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
  /** The {@link pageKey} of each page that has some of the terms only. These rank below the others, except for questions. */
  readonly partial: ReadonlySet<string>
  /** The {@link pageKey} of each page that was added because its title has a term. `count` does not include those without a term. */
  readonly named: ReadonlySet<string>
  /** The corrections of misspelled words, the closest first; empty if the query is not corrected. */
  readonly corrections: ReadonlyMap<string, ReadonlyArray<string>>
  /** The rows of hits that are read already. */
  readonly rows: RowsByPage
}

/** Returns the search of the store for terms. */
export const textSearchOf = (
  { searched, by, most, audiences, titlesOnly = false }: RankedSearch,
  { terms, stage }: { readonly terms: ReadonlyArray<QueryTerm>; readonly stage: Stage },
  limit: number,
  after?: TextSearch["after"]
): TextSearch => ({
  terms,
  match: stage === "any" ? "any" : "all",
  titlesOnly,
  audiences,
  scopes: searched.spaces,
  where: Where.eq<SearchPartRow, "organization">("organization", searched.organization),
  by,
  most,
  limit,
  // The candidates are ranked by core.
  unranked: candidateCount[by],
  // The ranking in core prefers titles with all words, too.
  ...(stage !== "any" && !titlesOnly && terms.every(({ word }) => word !== undefined)
    ? { titlesFirst: candidateCount[by] }
    : {}),
  ...(after === undefined ? {} : { after })
})

/**
 * Returns whether the pages of a search with all terms are enough, and their rows if it reads them. They are enough if there
 * are several, or if the query names one of them by its title. One suggestion is enough.
 */
const checkPages = Effect.fnUntraced(function* (
  records: GrantedReader,
  search: RankedSearch,
  terms: ReadonlyArray<QueryTerm>,
  { hits }: SearchResult
): Effect.fn.Return<{ readonly isEnough: boolean; readonly rows?: RowsByPage }, StorageUnavailable> {
  if (hits.length >= (search.titlesOnly === true ? 1 : enoughPages)) return { isEnough: true }
  if (hits.length === 0) return { isEnough: false }
  const rows = yield* readRows(records, search, hits)
  return { isEnough: [...rows.values()].some(([row]) => isTitleOfTerms(row!.title, terms)), rows }
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

/** Adds the pages whose titles have terms of a question. Few words of titles are frequent, so that these are pages with rare ones. */
const withNamed = Effect.fnUntraced(function* (
  records: GrantedReader,
  search: RankedSearch,
  candidates: Candidates
): Effect.fn.Return<Candidates, StorageUnavailable> {
  const { hits, terms, partial } = candidates
  if (search.titlesOnly === true || !isQuestion(terms)) return candidates
  const titles = { ...search, most: candidatesPerScope, titlesOnly: true }
  const limit = Math.min(namedPages, candidateCount[search.by])
  const found = yield* records.search(searchParts, {
    ...textSearchOf(titles, { terms, stage: "any" }, limit),
    unranked: limit
  })
  const known = new Set(hits.map(keyOfHit))
  const added = found.hits.filter((hit) => !known.has(keyOfHit(hit)))
  const named = new Set(added.map(keyOfHit))
  return { ...candidates, hits: [...hits, ...added], partial: new Set([...partial, ...named]), named }
})

/**
 * Finds the candidates of a search, or returns `undefined` for a query without words. `lastStage` is the one of an earlier
 * page of the same list, which this page continues.
 */
export const findCandidates = Effect.fnUntraced(function* (
  records: GrantedReader,
  search: RankedSearch,
  lastStage: Stage | undefined
): Effect.fn.Return<Candidates | undefined, StorageUnavailable> {
  const parsed = parseSearchTerms(search.query, search.settings.synonyms)
  if (parsed.length === 0) return undefined
  const { searched } = search
  const terms = search.titlesOnly === true ? yield* expandPrefix(records, searched, parsed) : parsed
  const limit = candidateCount[search.by]
  const find = (some: ReadonlyArray<QueryTerm>, stage: Stage) =>
    records.search(
      searchParts,
      textSearchOf({ ...search, most: candidatesPerScope }, { terms: some, stage }, limit)
    )
  const unread: RowsByPage = new Map()
  const noCorrections: Candidates["corrections"] = new Map()
  /** Returns candidates: the pages of `results`, which have all terms, and of `last`, whose further matches follow. */
  const candidatesOf = (
    results: ReadonlyArray<SearchResult>,
    last: SearchResult,
    rest: Pick<Candidates, "stage" | "terms" | "corrections" | "rows">
  ): Candidates => {
    const withAll = new Set(results.flatMap(({ hits }) => hits.map(keyOfHit)))
    return {
      ...rest,
      named: new Set(),
      hits: joinHits([...results, last]),
      partial: new Set(last.hits.map(keyOfHit).filter((key) => !withAll.has(key))),
      count: last.count,
      last: last.hits.at(-1)
    }
  }
  const whole =
    lastStage === undefined || lastStage === "whole"
      ? withIdentifiers(search.query, search.settings.synonyms.length > 0, terms)
      : undefined
  const earlier: Array<SearchResult> = []
  if (whole !== undefined) {
    const found = yield* find(whole, "whole")
    earlier.push(found)
    const { isEnough, rows = unread } = yield* checkPages(records, search, whole, found)
    if (lastStage === "whole" || isEnough) {
      return candidatesOf([found], found, { stage: "whole", terms: whole, corrections: noCorrections, rows })
    }
  }
  const withAll = yield* find(terms, "all")
  const { isEnough, rows = unread } = yield* checkPages(records, search, terms, withAll)
  if (lastStage === "all" || (lastStage === undefined && isEnough)) {
    // Among many pages with the parts of an identifier, the store may not prefer the pages with the identifier.
    const identified =
      withAll.hits.length < candidateCount.items ? undefined : withCamelCase(search.query, terms)
    const found = identified === undefined ? [] : [yield* find(identified, "all")]
    const all = candidatesOf([...earlier, withAll, ...found], withAll, {
      stage: "all",
      terms,
      corrections: noCorrections,
      rows
    })
    return yield* withNamed(records, search, all)
  }
  const corrected = yield* correctTerms(records, searched, terms, withAll.count === 0)
  const { terms: lastTerms, words: corrections } = corrected ?? { terms, words: noCorrections }
  const withCorrections = corrected === undefined ? withAll : yield* find(lastTerms, "corrected")
  // A quoted phrase is required.
  const canRelax = lastTerms.length > 1 && lastTerms.every(({ isRequired }) => isRequired !== true)
  const checked =
    canRelax && lastStage === undefined && corrected !== undefined
      ? yield* checkPages(records, search, lastTerms, withCorrections)
      : { isEnough: false }
  const rest = { terms: lastTerms, corrections, rows: checked.rows ?? rows }
  if (!canRelax || lastStage === "corrected" || checked.isEnough) {
    return candidatesOf([...earlier, withAll, withCorrections], withCorrections, {
      ...rest,
      stage: "corrected"
    })
  }
  const withAny = yield* find(lastTerms, "any")
  const any = candidatesOf([...earlier, withAll, withCorrections], withAny, { ...rest, stage: "any" })
  return yield* withNamed(records, search, any)
})
