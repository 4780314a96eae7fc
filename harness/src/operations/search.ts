/** The operations on search. */
import type { SearchApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const search = {
  searchSpaceContent: {
    serves: "Search.searchSpace",
    rule: "space.read",
    query: "query=intro"
  },
  searchOrganizationContent: {
    serves: "Search.searchOrganization",
    rule: "organization.list",
    query: "query=intro"
  },
  searchSiteContent: {
    serves: "PublishedSearch.searchSite",
    // The site of the scene is public.
    rule: "anybody",
    reads: true,
    body: () => ({ query: "intro" })
  }
} satisfies RowsOf<typeof SearchApi>
