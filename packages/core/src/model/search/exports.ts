/** The public names of search in `@lectern/core/model`. */

export {
  SearchPageResult,
  SearchQuery,
  SearchSectionResult,
  SearchSpaceResult
} from "./SearchResult.ts"
export { SearchSiteContent, SiteSearchQuery, SiteSearchScope } from "./SearchSite.ts"
