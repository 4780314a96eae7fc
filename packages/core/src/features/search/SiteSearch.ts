/** Searches the spaces of a site for a visitor, who is not a user of the workspace. */
import { Context, Effect, Layer } from "effect"
import { SystemGrant } from "../../access/grants/SystemGrant.ts"
import type { InvalidInput } from "../../kernel/errors.ts"
import { makeLinkBase } from "../../kernel/network/PublicUrl.ts"
import type { Page } from "../../kernel/schema/Pagination.ts"
import { type Records, type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import type { SearchPageRow, SearchWordRow } from "../../model/search/SearchPage.ts"
import type { SearchQuery, SearchSpaceResult } from "../../model/search/SearchResult.ts"
import type { Claims } from "../../model/sites/conditions/evaluate.ts"
import type { SiteId } from "../../model/sites/Site.ts"
import type { SpaceId } from "../../model/spaces/Space.ts"
import { searchInSpaces } from "./searchResults.ts"

/** A search of a visitor. The caller has authorized the visitor. */
export interface VisitorSearch {
  /** The site, whose synonyms apply. */
  readonly site: SiteId
  /** The spaces of the site that the visitor can see. No other space is searched. */
  readonly spaces: ReadonlyArray<SpaceId>
  /** The claims of the visitor, for which the conditions of content are evaluated. */
  readonly claims: Claims
  /** The query and the page of its results. */
  readonly input: SearchQuery
}

const makeSiteSearch = Effect.gen(function* () {
  const { records } = yield* SystemGrant.make("Searches published content for visitors.")
  const linkBase = yield* makeLinkBase

  return {
    /**
     * Searches spaces for a visitor, best match first. Returns the spaces with matching pages, each with up to 10 pages.
     * Fails with `InvalidInput` for a bad cursor.
     */
    search: ({
      site,
      spaces,
      input
    }: VisitorSearch): Effect.Effect<Page<SearchSpaceResult>, InvalidInput | StorageUnavailable> => {
      const ids = [...new Set(spaces)].sort()
      return Effect.flatMap(linkBase, (base) =>
        searchInSpaces({ records, base, input }, [site, ...ids].join(" "), {
          pagesWhere: Where.isIn<SearchPageRow, "space">("space", ids),
          wordsWhere: Where.isIn<SearchWordRow, "space">("space", ids)
        })
      )
    }
  }
})

/** The methods of {@link SiteSearch}. */
export interface SiteSearchService extends Effect.Success<typeof makeSiteSearch> {}

/** Searches the spaces of a site for a visitor. */
export class SiteSearch extends Context.Service<SiteSearch, SiteSearchService>()("@lectern/core/SiteSearch") {
  static readonly layer: Layer.Layer<SiteSearch, never, Records> = Layer.effect(SiteSearch, makeSiteSearch)
}
