/** Handlers of the operations that search. */

import { SearchApi } from "@lectern/client"
import { Search } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The operations that search, implemented. */
export const search = Effect.map(Search, (search) =>
  implement(SearchApi, {
    searchSpaceContent: ({ params, query }) => search.space(params.spaceId, query),
    searchOrganizationContent: ({ params, query }) => search.organization(params.organizationId, query)
  })
)
