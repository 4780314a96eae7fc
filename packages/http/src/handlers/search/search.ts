/** Handlers of the search endpoints. */
import { SearchApi } from "@lectern/client"
import { PublishedSearch, Search } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the search endpoints. */
export const search = Effect.map(Effect.all([Search, PublishedSearch]), ([search, published]) =>
  implement(SearchApi, {
    searchSpaceContent: serve(search.searchSpace, ({ params, query }) => ({
      space: params.spaceId,
      input: query
    })),
    searchOrganizationContent: serve(search.searchOrganization, ({ params, query }) => ({
      organization: params.organizationId,
      input: query
    })),
    searchSiteContent: serve(published.searchSite, ({ params, query, payload }) => ({
      organization: params.organizationId,
      site: params.siteId,
      input: { ...payload, ...query }
    }))
  })
)
