/** What callers look for, in a space or in all that they may read of an organization. */
import { Context, Effect, Layer } from "effect"
import { Access } from "../../access/Access.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { query } from "../../kernel/operation/Operation.ts"
import { readRanked } from "../../kernel/pagination/paginate.ts"
import {
  Records,
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
import { type Candidate, excerptsOf } from "./excerpts.ts"
import { termsOf } from "./SearchQuery.ts"

/** The most pages that are shown of a space, where all spaces are searched. */
const pagesOfSpace = 10

const nothing = { count: 0, hits: [] }

const keyOf = (space: string, page: string): string => `${space}/${page}`

const makeSearch = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* Access
  const base = yield* PublicUrl

  /** The pages of hits as they are shown: one look-up for all of them. */
  const present = Effect.fnUntraced(function* (
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

  return {
    /** The pages of a space that a query fits, the best first. One that has no words in it fits none. */
    space: query([SpaceId, SearchQuery], function* (id, input) {
      yield* access.space(id, "read")
      const terms = termsOf(input.query)
      return yield* readRanked(input, {
        list: ["search", id, input.query],
        read: (after, limit) =>
          terms.length === 0
            ? Effect.succeed(nothing)
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
          Effect.map(present(hits, terms), (pages) =>
            hits.map(({ scope, item }) => pages.get(keyOf(scope, item))!)
          )
      })
    }),

    /** The spaces of an organization that the caller may read and that have pages which a query fits, with the best. */
    organization: query([OrganizationId, SearchQuery], function* (organization, input) {
      const caller = yield* access.organization(organization, "list")
      const visible = yield* access.visible(caller)
      const theirs = Where.and<SpaceRow>(
        Where.eq("organization", organization),
        Where.isNull("deletedAt"),
        visible
      )
      const terms = termsOf(input.query)
      return yield* readRanked(input, {
        list: ["search", organization, input.query],
        read: (after, limit) =>
          terms.length === 0
            ? Effect.succeed(nothing)
            : records.search(searchPages, {
                terms,
                where: Where.inSelect<SearchPageRow, "space", typeof spaces, "id">(
                  "space",
                  spaces,
                  "id",
                  theirs
                ),
                by: "scopes",
                most: pagesOfSpace,
                limit,
                ...(after === undefined ? {} : { after })
              }),
        idOf: ({ scope }) => scope,
        present: Effect.fnUntraced(function* (hits: ReadonlyArray<SearchHit>) {
          const bySpace = Map.groupBy(hits, ({ scope }) => scope as SpaceId)
          const [pages, rows] = yield* records.both(
            present(hits, terms),
            bySpace.size === 0
              ? Effect.succeed([])
              : records.find(spaces, {
                  select: ["id", "title"],
                  where: Where.isIn("id", [...bySpace.keys()])
                })
          )
          const titles = new Map(rows.map(({ id, title }) => [id, title]))
          return [...bySpace].map(
            ([id, inside]): SearchSpaceResult => ({
              id,
              title: titles.get(id) ?? "",
              pages: inside.map(({ scope, item }) => pages.get(keyOf(scope, item))!)
            })
          )
        })
      })
    })
  }
})

/** See the module's comment. */
export class Search extends Context.Service<Search, Effect.Success<typeof makeSearch>>()(
  "@lectern/core/Search"
) {
  static readonly layer: Layer.Layer<Search, never, Records | Access> = Layer.effect(Search, makeSearch)
}
