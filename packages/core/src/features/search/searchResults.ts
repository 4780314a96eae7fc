/** Converts the hits of a search to the results that clients receive, and paginates them. */
import { Effect } from "effect"
import type { GrantedReader } from "../../access/grants/Grant.ts"
import type { InvalidInput } from "../../kernel/errors.ts"
import { paginateRanked } from "../../kernel/pagination/paginate.ts"
import type { Page } from "../../kernel/schema/Pagination.ts"
import {
  type SearchHit,
  type SearchTerm,
  type StorageUnavailable,
  Where
} from "../../kernel/storage/index.ts"
import type { PageId } from "../../model/content/Page.ts"
import { type SearchPageRow, searchPages } from "../../model/search/SearchPage.ts"
import type { SearchPageResult, SearchQuery, SearchSpaceResult } from "../../model/search/SearchResult.ts"
import { type SpaceId, spaces } from "../../model/spaces/Space.ts"
import { type Candidate, excerptsOf } from "./excerpts.ts"
import { type RankedSearch, searchRanked } from "./rankedSearch.ts"

/** The maximum number of pages per space in the results for several spaces. */
const maximumPagesPerSpace = 10

const keyOf = (space: string, page: string): string => `${space}/${page}`

/** A search: the records that it reads, its query, and the base of the URLs of its results. */
export interface SearchRequest {
  readonly records: GrantedReader
  readonly base: string
  readonly input: SearchQuery
}

/** Loads the pages of all hits with one query. */
const presentHits = Effect.fnUntraced(function* (
  { records, base }: SearchRequest,
  hits: ReadonlyArray<SearchHit>,
  terms: ReadonlyArray<SearchTerm>
): Effect.fn.Return<ReadonlyMap<string, SearchPageResult>, StorageUnavailable> {
  if (hits.length === 0) return new Map()
  const rows = yield* records.find(searchPages, {
    select: ["space", "page", "part", "name", "path", "body", "passages"],
    where: Where.and<SearchPageRow>(
      Where.isIn("space", [...new Set(hits.map(({ scope }) => scope as SpaceId))]),
      Where.isIn("page", [...new Set(hits.map(({ item }) => item as PageId))])
    )
  })
  const pages = Map.groupBy(rows, ({ space, page }) => keyOf(space, page))
  const found = new Map<string, SearchPageResult>()
  for (const [key, parts] of pages) {
    const { space, page, name, path } = parts[0]!
    const app = `${base}/s/${space}/${encodeURI(path)}`
    const candidates = parts.flatMap(({ body, passages }): ReadonlyArray<Candidate> => {
      const lines = body.split("\n")
      return passages.map((passage, index) => ({ passage, words: lines[index] ?? "" }))
    })
    found.set(key, {
      id: page,
      title: name,
      path,
      sections: excerptsOf(candidates, terms).map(({ title, anchor, body }) => {
        const fragment = anchor === "" ? "" : `#${encodeURIComponent(anchor)}`
        return {
          id: anchor === "" ? page : `${page}#${anchor}`,
          title: title === "" ? name : title,
          path: path + fragment,
          body,
          urls: { app: app + fragment }
        }
      }),
      urls: { app }
    })
  }
  return found
})

/**
 * Reads a page of results. `list` identifies the list for cursors, `idOf` returns the id of the entry of a hit, and
 * `present` converts hits to entries.
 */
const paginateSearch = <A>(
  request: SearchRequest,
  list: string,
  search: Omit<RankedSearch, "query">,
  idOf: (hit: SearchHit) => string,
  present: (
    hits: ReadonlyArray<SearchHit>,
    pages: Effect.Effect<ReadonlyMap<string, SearchPageResult>, StorageUnavailable>
  ) => Effect.Effect<ReadonlyArray<A>, StorageUnavailable>
): Effect.Effect<Page<A>, InvalidInput | StorageUnavailable> => {
  const { records, input } = request
  let terms: ReadonlyArray<SearchTerm> = []
  return paginateRanked(input, {
    list: ["search", list, input.query],
    read: (after, limit) =>
      Effect.map(searchRanked(records, { ...search, query: input.query }, after, limit), (result) => {
        terms = result.terms
        return result
      }),
    idOf,
    present: (hits) => present(hits, presentHits(request, hits, terms))
  })
}

/** Searches the pages of a space. Fails with `InvalidInput` for a bad cursor. */
export const searchInSpace = (
  request: SearchRequest,
  space: SpaceId
): Effect.Effect<Page<SearchPageResult>, InvalidInput | StorageUnavailable> =>
  paginateSearch(
    request,
    space,
    { scope: space, pagesWhere: Where.all, wordsWhere: Where.eq("space", space), by: "items", most: 1 },
    ({ item }) => item,
    (hits, presented) =>
      Effect.map(presented, (pages) => hits.map(({ scope, item }) => pages.get(keyOf(scope, item))!))
  )

/**
 * Searches several spaces, and groups the pages by space. `list` identifies the set of spaces for cursors. Fails with
 * `InvalidInput` for a bad cursor.
 */
export const searchInSpaces = (
  request: SearchRequest,
  list: string,
  where: Pick<RankedSearch, "pagesWhere" | "wordsWhere">
): Effect.Effect<Page<SearchSpaceResult>, InvalidInput | StorageUnavailable> =>
  paginateSearch(
    request,
    list,
    { ...where, by: "scopes", most: maximumPagesPerSpace },
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
          id,
          title: titles.get(id) ?? "",
          pages: spaceHits.map(({ scope, item }) => pages.get(keyOf(scope, item))!)
        })
      )
    })
  )
