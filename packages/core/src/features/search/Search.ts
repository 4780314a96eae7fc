/** Operations that search pages, in a space or in all spaces of an organization that the caller can read. */
import { Context, Effect, Layer } from "effect"
import { Access } from "../../access/Access.ts"
import type { GrantedReader } from "../../access/grants/Grant.ts"
import type { AccessError, Query } from "../../access/operations/Operation.ts"
import { Operations } from "../../access/operations/Operations.ts"
import { makeLinkBase } from "../../kernel/network/PublicUrl.ts"
import { paginateRanked } from "../../kernel/pagination/paginate.ts"
import type { Page } from "../../kernel/schema/Pagination.ts"
import {
  type SearchHit,
  type SearchTerm,
  type StorageUnavailable,
  Where
} from "../../kernel/storage/index.ts"
import type { PageId } from "../../model/content/Page.ts"
import { OrganizationId } from "../../model/organizations/Organization.ts"
import { type SearchPageRow, searchPages } from "../../model/search/SearchPage.ts"
import {
  type SearchPageResult,
  SearchQuery,
  type SearchSpaceResult
} from "../../model/search/SearchResult.ts"
import { SpaceId, type SpaceRow, spaces } from "../../model/spaces/Space.ts"
import type { SpaceError } from "../spaces/Spaces.ts"
import { type Candidate, excerptsOf } from "./excerpts.ts"
import { parseSearchTerms } from "./searchTerms.ts"

/** Operations that search pages, on behalf of the `CurrentUser`. */
export interface SearchOperations {
  /**
   * Searches the pages of the primary content of a space, best match first. A page matches if it contains every word
   * of the query. A query without words matches no pages. Fails with `InvalidInput` for a bad cursor.
   */
  readonly searchSpace: Query<{ space: SpaceId; input: SearchQuery }, Page<SearchPageResult>, SpaceError>
  /**
   * Searches the spaces of an organization that the caller can read, best match first. Returns the spaces with matching
   * pages, each with up to 10 pages. A query without words matches no pages. Fails with `InvalidInput` for a bad
   * cursor.
   */
  readonly searchOrganization: Query<
    { organization: OrganizationId; input: SearchQuery },
    Page<SearchSpaceResult>,
    AccessError
  >
}

/** The maximum number of pages per space in the results for an organization. */
const maximumPagesPerSpace = 10

/** The result of a query without words. */
const noHits = { count: 0, hits: [] }

const keyOf = (space: string, page: string): string => `${space}/${page}`

const makeSearch = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const access = yield* Access
  const linkBase = yield* makeLinkBase

  /** Loads the pages of all hits with one query. */
  const presentHits = Effect.fnUntraced(function* (
    records: GrantedReader,
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
    const base = yield* linkBase
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

  return {
    searchSpace: query(
      "Search.searchSpace",
      { parameters: { space: SpaceId, input: SearchQuery }, authorize: allow.space("read") },
      function* ({ space: id, input }, { records }) {
        const terms = parseSearchTerms(input.query)
        return yield* paginateRanked(input, {
          list: ["search", id, input.query],
          read: (after, limit) =>
            terms.length === 0
              ? Effect.succeed(noHits)
              : records.search(searchPages, {
                  terms,
                  scope: id,
                  where: Where.all,
                  by: "items",
                  most: 1,
                  limit,
                  ...(after === undefined ? {} : { after })
                }),
          idOf: ({ item }) => item,
          present: (hits) =>
            Effect.map(presentHits(records, hits, terms), (pages) =>
              hits.map(({ scope, item }) => pages.get(keyOf(scope, item))!)
            )
        })
      }
    ),

    searchOrganization: query(
      "Search.searchOrganization",
      {
        parameters: { organization: OrganizationId, input: SearchQuery },
        authorize: allow.organization("list")
      },
      function* ({ organization, input }, { caller, records }) {
        const visible = yield* access.whereVisible(caller)
        const readable = Where.and<SpaceRow>(
          Where.eq("organization", organization),
          Where.isNull("deletedAt"),
          visible
        )
        const terms = parseSearchTerms(input.query)
        return yield* paginateRanked(input, {
          list: ["search", organization, input.query],
          read: (after, limit) =>
            terms.length === 0
              ? Effect.succeed(noHits)
              : records.search(searchPages, {
                  terms,
                  where: records.inSelect<SearchPageRow, "space", typeof spaces, "id">(
                    "space",
                    spaces,
                    "id",
                    readable
                  ),
                  by: "scopes",
                  most: maximumPagesPerSpace,
                  limit,
                  ...(after === undefined ? {} : { after })
                }),
          idOf: ({ scope }) => scope,
          present: Effect.fnUntraced(function* (hits: ReadonlyArray<SearchHit>) {
            const bySpace = Map.groupBy(hits, ({ scope }) => scope as SpaceId)
            const [pages, rows] = yield* records.zipConcurrent(
              presentHits(records, hits, terms),
              bySpace.size === 0
                ? Effect.succeed([])
                : records.find(spaces, {
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
        })
      }
    )
  }
})

/** Operations that search pages: see {@link SearchOperations}. */
export class Search extends Context.Service<Search, SearchOperations>()("@lectern/core/Search") {
  static readonly layer: Layer.Layer<Search, never, Operations | Access> = Layer.effect(Search, makeSearch)
}
