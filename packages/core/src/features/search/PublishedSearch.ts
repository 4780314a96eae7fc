/** The operation that searches the content of a site, for its visitors and as a preview for members. */

import {
  type AccessError,
  type Authorization,
  alsoForVisitors,
  type Caller,
  type GrantedReader,
  Operations,
  type Query,
  roleOn,
  type VisitedSite,
  VisitorAccess
} from "@lectern/access"
import { Where } from "@lectern/kernel"
import {
  isDefault,
  type SiteSpaceRow,
  type SpaceRow,
  type Structure,
  siteSpacesInOrder,
  spaces
} from "@lectern/kernel/tables"
import type { Claims } from "@lectern/model/conditions"
import { OrganizationId } from "@lectern/model/organizations"
import type { SearchResults, SearchSpaceResult } from "@lectern/model/search"
import { SiteSearchQuery, type SiteSearchScope } from "@lectern/model/search"
import { SiteId, type SiteSpaceId } from "@lectern/model/sites"
import type { SpaceId } from "@lectern/model/spaces"
import { Context, Effect, Layer } from "effect"
import { SiteSearch } from "./SiteSearch.ts"

/** The operation that searches the content of a site, on behalf of the `CurrentUser`. */
export interface PublishedSearchOperations {
  /**
   * Searches the spaces of a site that the caller can see, best match first, each with up to 10 pages. Visitors of the site
   * can call it; conditional content is found for visitors who meet its conditions. Fails with `InvalidInput` for a bad cursor.
   */
  readonly searchSite: Query<
    { organization: OrganizationId; site: SiteId; input: SiteSearchQuery },
    SearchResults<SearchSpaceResult>,
    AccessError
  >
}

type Target = { readonly organization: OrganizationId; readonly site: SiteId }

/** The scope of a search, which its input states in one of two ways. */
const scopeOf = ({ scope, mode, siteSpaceId, siteSpaceIds }: SiteSearchQuery): SiteSearchScope => {
  if (scope !== undefined) return scope
  if (mode === "current") {
    return { mode: "default", ...(siteSpaceId === undefined ? {} : { currentSiteSpace: siteSpaceId }) }
  }
  return siteSpaceIds !== undefined && mode !== "all" ? { mode: "specific", siteSpaceIds } : { mode: "all" }
}

/** The site-spaces of the structure that a scope selects. */
const siteSpacesOf = (structure: Structure, scope: SiteSearchScope): ReadonlyArray<SiteSpaceRow> => {
  const all = siteSpacesInOrder(structure)
  if (scope.mode === "all") return all
  const named = new Set<SiteSpaceId | undefined>(
    scope.mode === "specific"
      ? scope.siteSpaceIds
      : [scope.currentSiteSpace, ...(scope.includedSiteSpaces ?? [])]
  )
  const selected = all.filter(
    (row) => named.has(row.id) || (scope.mode === "default" && isDefault(structure, row))
  )
  if (scope.mode !== "default" || scope.restrictTo === undefined) return selected
  const isCurrent = ({ id }: SiteSpaceRow) => id === scope.currentSiteSpace
  return selected.filter((row) => isCurrent(row) === (scope.restrictTo === "currentSiteSpace"))
}

const makePublishedSearch = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const visitors = yield* VisitorAccess
  const search = yield* SiteSearch
  const viewSite = allow.site("view")

  /** Authorizes `site.view`, and admits visitors and other users to the published site. */
  const searchVisited: Authorization<
    Target,
    { readonly visited: VisitedSite; readonly claims: Claims },
    AccessError
  > = {
    rule: alsoForVisitors(viewSite.rule),
    check: Effect.fnUntraced(function* (target) {
      const admitted = yield* visitors.current(target)
      if (admitted !== undefined) {
        return { grant: admitted.grant, visited: admitted, claims: admitted.claims }
      }
      const seen = yield* visitors.viewOrAdmit(viewSite.check(target), target)
      if ("admitted" in seen) {
        return { grant: seen.admitted.grant, visited: seen.admitted, claims: seen.admitted.claims }
      }
      const { viewable } = seen
      const visited = yield* visitors.resolvePreview(viewable, {})
      return { grant: viewable.grant, visited, claims: {} }
    })
  }

  /** Returns the spaces that the caller can read. */
  const readableSpaces = Effect.fnUntraced(function* (
    records: GrantedReader,
    caller: Caller,
    ids: ReadonlyArray<SpaceId>
  ) {
    const rows = yield* records.find(spaces, {
      where: Where.and<SpaceRow>(Where.isIn("id", ids), Where.isNull("deletedAt"))
    })
    return rows.filter((space) => roleOn(caller, space) !== null).map(({ id }) => id)
  })

  return {
    searchSite: query(
      "PublishedSearch.searchSite",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: SiteSearchQuery },
        authorize: searchVisited
      },
      function* ({ organization, site, input }, { visited, claims, records }) {
        const { query: words, page, limit, prefix } = input
        const rows = siteSpacesOf(visited.structure, scopeOf(input))
        const onSite = [...new Set(rows.map(({ space }) => space))]
        const readable = yield* readableSpaces(records, visited.caller, onSite)
        // A member also finds the published spaces that are not shared with them, as everyone does.
        const everyone =
          readable.length === onSite.length || visited.caller.isVisitor === true
            ? undefined
            : yield* visitors.admitEveryone({ organization, site })
        const published =
          everyone === undefined
            ? []
            : yield* readableSpaces(
                records,
                everyone.caller,
                onSite.filter((id) => !readable.includes(id))
              )
        const ids = [...readable, ...published]
        return yield* search.search({
          organization,
          site,
          spaces: ids,
          claims,
          input: {
            query: words,
            ...(page === undefined ? {} : { page }),
            ...(limit === undefined ? {} : { limit }),
            ...(prefix === undefined ? {} : { prefix })
          }
        })
      }
    )
  }
})

/** The operation that searches the content of a site: see {@link PublishedSearchOperations}. */
export class PublishedSearch extends Context.Service<PublishedSearch, PublishedSearchOperations>()(
  "@lectern/core/PublishedSearch"
) {
  static readonly layer: Layer.Layer<PublishedSearch, never, Operations | VisitorAccess | SiteSearch> =
    Layer.effect(PublishedSearch, makePublishedSearch)
}
