/** Converts the hits of a search to the results that clients receive, and paginates them. */

import type { GrantedReader } from "@lectern/access"
import { type Candidate, excerptsOf, makeHighlighter, rangesOf } from "@lectern/content"
import { paginateRanked, type SearchHit, type StorageUnavailable, Where } from "@lectern/kernel"
import type { SearchedSpaces } from "@lectern/kernel/tables"
import { type Passage, searchParts, spaces } from "@lectern/kernel/tables"
import { foldText, stemOf } from "@lectern/markdown/text"
import type { InvalidInput } from "@lectern/model/errors"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SearchPageResult, SearchQuery, SearchResults, SearchSpaceResult } from "@lectern/model/search"
import type { SearchSettings } from "@lectern/model/sites"
import type { SpaceId } from "@lectern/model/spaces"
import { Effect } from "effect"
import { pageKey, type RankedSearch, whereHits } from "./candidateRows.ts"
import { type RankedResult, searchRanked } from "./rankedSearch.ts"

/** The maximum number of pages per space in the results for several spaces. */
const maximumPagesPerSpace = 10

/** A search: the records that it reads, its query, and the base of the URLs of its results. */
export interface SearchRequest {
  readonly records: GrantedReader
  readonly base: string
  readonly input: SearchQuery
  /** The audiences that the caller belongs to. */
  readonly audiences: ReadonlyArray<string>
  readonly settings: SearchSettings
}

/** The results of a search before they are converted. */
type Ranked = RankedResult & { readonly search: RankedSearch }

/** Reads the passages of hits, with one query. Suggestions are shown without text. */
const readPassages = Effect.fnUntraced(function* (
  records: GrantedReader,
  { search }: Ranked,
  hits: ReadonlyArray<SearchHit>
): Effect.fn.Return<ReadonlyMap<string, ReadonlyArray<Passage>>, StorageUnavailable> {
  if (hits.length === 0 || search.titlesOnly === true) return new Map()
  const rows = yield* records.find(searchParts, {
    select: ["space", "page", "part", "passages"],
    where: whereHits(search, hits)
  })
  return new Map(rows.map(({ space, page, part, passages }) => [`${pageKey(space, page)}/${part}`, passages]))
})

/** The score of a result. The store ranks the hits after the candidates by another measure. */
const scoreOf = ({ score, best }: SearchHit): number => (best > 0 ? score : 0)

/** The description of a page: its passages of this kind, which are the first ones. */
const descriptionOf = (kinds: string, passages: ReadonlyArray<Passage>): string =>
  passages
    .filter((_, index) => kinds[index] === "d")
    .map(({ text }) => text)
    .join(" ")

/** Converts the pages of hits. `offset` is the number of hits on earlier pages. */
const presentHits = Effect.fnUntraced(function* (
  { records, base }: SearchRequest,
  ranked: Ranked,
  hits: ReadonlyArray<SearchHit>,
  offset: number
): Effect.fn.Return<ReadonlyMap<string, SearchPageResult>, StorageUnavailable> {
  const passagesByPart = yield* readPassages(records, ranked, hits)
  const highlighter = makeHighlighter(ranked.terms)
  const found = new Map<string, SearchPageResult>()
  const byScore = hits.toSorted((one, other) => scoreOf(other) - scoreOf(one))
  for (const [index, hit] of byScore.entries()) {
    const { scope, item } = hit
    const score = scoreOf(hit)
    const key = pageKey(scope, item)
    const rows = ranked.rows.get(key)!
    const { page, name, path, presentation } = rows[0]!
    const described = rows.find(({ kinds }) => kinds.startsWith("d")) ?? rows[0]!
    const app = `${base}/s/${scope}/${encodeURI(path)}`
    const candidates = rows.flatMap(({ part, body, headings }): ReadonlyArray<Candidate> => {
      const [lines, titles] = [body.split("\n"), headings.split("\n")]
      // A page can change between two reads.
      return (passagesByPart.get(`${key}/${part}`) ?? []).map((passage, index) => ({
        passage,
        words: `${titles[index] ?? ""} ${lines[index] ?? ""}`
      }))
    })
    found.set(key, {
      id: page,
      title: name,
      description: descriptionOf(described.kinds, passagesByPart.get(`${key}/${described.part}`) ?? []),
      path,
      score,
      rank: offset + index + 1,
      ancestors: presentation.breadcrumbs.map(({ title }) => ({ title })),
      ...presentation,
      titleHighlights: rangesOf(highlighter(name)),
      sections: excerptsOf(candidates, ranked.terms, highlighter).map(({ title, anchor, ...excerpt }) => {
        const fragment = anchor === "" ? "" : `#${encodeURIComponent(anchor)}`
        return {
          ...excerpt,
          id: anchor === "" ? page : `${page}#${anchor}`,
          title: title === "" ? name : title,
          titleHighlights: title === "" ? rangesOf(highlighter(name)) : excerpt.titleHighlights,
          path: path + fragment,
          score,
          urls: { app: app + fragment }
        }
      }),
      urls: { app }
    })
  }
  return found
})

/**
 * Replaces misspelled words of a query by corrections that occur in the results: the vocabulary also contains words that
 * the caller cannot see.
 */
const correctQuery = (query: string, { corrections, rows }: RankedResult): string => {
  const texts = [...rows.values()]
    .flat()
    .map(({ title, headings, body }) => ` ${title} ${headings} ${body} `.replaceAll("\n", " "))
  const isVisible = (word: string) => texts.some((text) => text.includes(` ${stemOf(word)} `))
  return query.replace(
    /[\p{L}\p{N}\p{M}]+/gu,
    (word) => corrections.get(foldText(word))?.find(isVisible) ?? word
  )
}

/**
 * Reads a page of results. `list` identifies the list for cursors, `idOf` returns the id of the entry of a hit, and
 * `present` converts hits to entries.
 */
const paginateSearch = Effect.fnUntraced(function* <A>(
  request: SearchRequest,
  list: string,
  where: Omit<RankedSearch, "query" | "audiences" | "settings" | "titlesOnly">,
  idOf: (hit: SearchHit) => string,
  present: (
    hits: ReadonlyArray<SearchHit>,
    pages: Effect.Effect<ReadonlyMap<string, SearchPageResult>, StorageUnavailable>
  ) => Effect.Effect<ReadonlyArray<A>, StorageUnavailable>
): Effect.fn.Return<SearchResults<A>, InvalidInput | StorageUnavailable> {
  const { records, input, audiences, settings } = request
  const titlesOnly = input.prefix === true
  const search: RankedSearch = { ...where, audiences, settings, titlesOnly, query: input.query }
  let ranked: Ranked | undefined
  const page = yield* paginateRanked(input, {
    list: ["search", list, input.query, titlesOnly],
    read: (after, limit) =>
      Effect.map(searchRanked(records, search, after, limit), (result) => {
        ranked = { ...result, search }
        return result
      }),
    idOf,
    present: (hits, offset) => present(hits, presentHits(request, ranked!, hits, offset))
  })
  const corrected =
    ranked === undefined || ranked.corrections.size === 0 ? input.query : correctQuery(input.query, ranked)
  return corrected === input.query ? page : { ...page, didYouMean: corrected }
})

/** Searches the pages of a space of an organization. Fails with `InvalidInput` for a bad cursor. */
export const searchInSpace = (
  request: SearchRequest,
  organization: OrganizationId,
  space: SpaceId
): Effect.Effect<SearchResults<SearchPageResult>, InvalidInput | StorageUnavailable> =>
  paginateSearch(
    request,
    space,
    { searched: { organization, spaces: [space] }, by: "items", most: 1 },
    ({ item }) => item,
    (hits, presented) =>
      Effect.map(presented, (pages) => hits.map(({ scope, item }) => pages.get(pageKey(scope, item))!))
  )

/**
 * Searches several spaces, and groups the pages by space. `list` identifies the set of spaces for cursors. Fails with
 * `InvalidInput` for a bad cursor.
 */
export const searchInSpaces = (
  request: SearchRequest,
  list: string,
  searched: SearchedSpaces
): Effect.Effect<SearchResults<SearchSpaceResult>, InvalidInput | StorageUnavailable> =>
  paginateSearch(
    request,
    list,
    { searched, by: "scopes", most: maximumPagesPerSpace },
    ({ scope }) => scope,
    Effect.fnUntraced(function* (hits, presented) {
      const bySpace = Map.groupBy(hits, ({ scope }) => scope as SpaceId)
      const [pages, rows] = yield* request.records.zipConcurrent(
        presented,
        bySpace.size === 0
          ? Effect.succeed([])
          : request.records.find(spaces, {
              select: ["id", "title"],
              where: Where.isIn("id", [...bySpace.keys()])
            })
      )
      const titles = new Map(rows.map(({ id, title }) => [id, title]))
      return [...bySpace].map(
        ([id, spaceHits]): SearchSpaceResult => ({
          type: "space",
          id,
          title: titles.get(id) ?? "",
          score: Math.max(...spaceHits.map(scoreOf)),
          pages: spaceHits.map(({ scope, item }) => pages.get(pageKey(scope, item))!)
        })
      )
    })
  )
