/** Declares the search operations. */

import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import {
  OrganizationId,
  SearchPageResult,
  SearchQuery,
  SearchSiteContent,
  SearchSpaceResult,
  SiteId,
  SpaceId,
  searchPageOf
} from "../../index.ts"
import { changing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"
import { RequiresNoToken } from "../shared/requiresNoToken.ts"

const query = {
  ...page,
  query: SearchQuery.fields.query,
  prefix: SearchQuery.fields.prefix
}

/** The group of search operations. */
export const SearchApi = HttpApiGroup.make("search")
  .add(
    HttpApiEndpoint.get("searchSpaceContent", "/spaces/:spaceId/search", {
      params: { spaceId: SpaceId },
      query,
      success: searchPageOf(SearchPageResult),
      error: reading
    }).annotateMerge(
      describe("Search a space", "Returns the matching pages with their matching sections, best match first.")
    ),
    HttpApiEndpoint.get("searchOrganizationContent", "/orgs/:organizationId/search", {
      params: { organizationId: OrganizationId },
      query,
      success: searchPageOf(SearchSpaceResult),
      error: reading
    }).annotateMerge(
      describe(
        "Search an organization",
        "Returns the spaces with matching pages that the caller can read, each with its ten best matches."
      )
    ),
    HttpApiEndpoint.post("searchSiteContent", "/orgs/:organizationId/sites/:siteId/search", {
      params: { organizationId: OrganizationId, siteId: SiteId },
      query: { ...page, prefix: SearchQuery.fields.prefix },
      payload: SearchSiteContent,
      success: searchPageOf(SearchSpaceResult),
      error: changing
    })
      .annotateMerge(
        describe(
          "Search a site",
          "Returns the spaces of the site with matching pages that the caller can see, each with its ten best matches. A public site requires no token."
        )
      )
      .annotate(RequiresNoToken, true)
  )
  .annotateMerge(describeGroup("Search", "Full-text search in pages."))
