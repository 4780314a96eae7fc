/** Handlers of the search endpoints. */
import { SearchApi } from "@lectern/client"
import { Search } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the search endpoints. */
export const search = Effect.map(Search, (search) =>
  implement(SearchApi, {
    searchSpaceContent: serve(search.searchSpace, ({ params, query }) => ({
      space: params.spaceId,
      input: query
    })),
    searchOrganizationContent: serve(search.searchOrganization, ({ params, query }) => ({
      organization: params.organizationId,
      input: query
    }))
  })
)
