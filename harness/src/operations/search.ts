/** The operations on search. */
import type { SearchApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const search = {
  searchSpaceContent: {
    serves: "Search.searchSpace",
    rule: "space.read",
    statements: 7,
    query: "query=intro"
  },
  searchOrganizationContent: {
    serves: "Search.searchOrganization",
    rule: "organization.list",
    statements: 9,
    query: "query=intro"
  },
  searchSiteContent: {
    serves: "PublishedSearch.searchSite",
    // The site of the scene is public.
    rule: "anybody",
    statements: 15,
    reads: true,
    body: () => ({ query: "intro" })
  }
} satisfies RowsOf<typeof SearchApi>
