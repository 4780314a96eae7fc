/** Handlers of the search endpoints. */
import { SearchApi } from "@lectern/client"
import { PublishedSearch, Search } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The handlers of the search endpoints. */
export const search = Effect.map(Effect.all([Search, PublishedSearch]), ([search, published]) =>
  implement(SearchApi, {
    searchSpaceContent: search.searchSpace,
    searchOrganizationContent: search.searchOrganization,
    searchSiteContent: published.searchSite
  })
)
