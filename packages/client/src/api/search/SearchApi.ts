/** The operations that search. */
import {
  OrganizationId,
  pageOf,
  SearchPageResult,
  SearchQuery,
  SearchSpaceResult,
  SpaceId
} from "@lectern/core/model"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"

const query = {
  ...page,
  query: SearchQuery.fields.query
}

/** The group of operations that search. */
export const SearchApi = HttpApiGroup.make("search")
  .add(
    HttpApiEndpoint.get("searchSpaceContent", "/spaces/:spaceId/search", {
      params: { spaceId: SpaceId },
      query,
      success: pageOf(SearchPageResult),
      error: reading
    }).annotateMerge(
      describe("Search a space", "The pages that fit, the best first, with the sections that do.")
    ),
    HttpApiEndpoint.get("searchOrganizationContent", "/orgs/:organizationId/search", {
      params: { organizationId: OrganizationId },
      query,
      success: pageOf(SearchSpaceResult),
      error: reading
    }).annotateMerge(
      describe(
        "Search an organization",
        "The spaces that the caller may read and that have pages which fit, each with its ten best."
      )
    )
  )
  .annotateMerge(describeGroup("Search", "Finding pages by what is written in them."))
