/** Searches the spaces of a site for a visitor, who is not a user of the workspace. */

import { SystemGrant } from "@lectern/access"
import { meetsConditions, visitors } from "@lectern/content"
import { makeLinkBase, type Records, type StorageUnavailable } from "@lectern/kernel"
import { inSpaces, type SearchedSpaces, searchAudiences, siteSettings } from "@lectern/kernel/tables"
import type { Claims } from "@lectern/model/conditions"
import type { InvalidInput } from "@lectern/model/errors"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SearchQuery, SearchResults, SearchSpaceResult } from "@lectern/model/search"
import type { SiteId } from "@lectern/model/sites"
import type { SpaceId } from "@lectern/model/spaces"
import { Context, Effect, Layer } from "effect"
import { searchInSpaces } from "./searchResults.ts"

/** A search of a visitor. The caller has authorized the visitor. */
export interface VisitorSearch {
  /** The organization of the site and of its spaces. */
  readonly organization: OrganizationId
  /** The site, whose synonyms, pins and boosts apply. */
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

  /** Returns the audiences of spaces that a visitor belongs to. */
  const audiencesFor = Effect.fnUntraced(function* (searched: SearchedSpaces, claims: Claims) {
    const rows = yield* records.find(searchAudiences, {
      select: ["audience", "conditions"],
      where: inSpaces(searched)
    })
    const met = rows.filter(({ conditions }) => meetsConditions(conditions, claims))
    return [visitors, ...new Set(met.map(({ audience }) => audience))]
  })

  return {
    /**
     * Searches spaces for a visitor, best match first. Returns the spaces with matching pages, each with up to 10 pages.
     * Content with a condition is only found if the visitor meets it. Fails with `InvalidInput` for a bad cursor.
     */
    search: Effect.fnUntraced(function* ({
      organization,
      site,
      spaces,
      claims,
      input
    }: VisitorSearch): Effect.fn.Return<SearchResults<SearchSpaceResult>, InvalidInput | StorageUnavailable> {
      const searched = { organization, spaces: [...new Set(spaces)].sort() }
      const [audiences, settings] = yield* records.zipConcurrent(
        audiencesFor(searched, claims),
        records.get(siteSettings, { site }, ["customization"])
      )
      const request = {
        records,
        base: yield* linkBase,
        input,
        audiences,
        settings: settings?.customization?.search ?? { synonyms: [] }
      }
      return yield* searchInSpaces(request, [site, ...searched.spaces].join(" "), searched)
    })
  }
})

/** The methods of {@link SiteSearch}. */
export interface SiteSearchService extends Effect.Success<typeof makeSiteSearch> {}

/** Searches the spaces of a site for a visitor. */
export class SiteSearch extends Context.Service<SiteSearch, SiteSearchService>()("@lectern/core/SiteSearch") {
  static readonly layer: Layer.Layer<SiteSearch, never, Records> = Layer.effect(SiteSearch, makeSiteSearch)
}
