export {
  SearchBreadcrumb,
  SearchPageResult,
  SearchQuery,
  type SearchResults,
  SearchSectionResult,
  SearchSpaceResult,
  searchPageOf,
  TextRange
} from "./SearchResult.ts"
export { SearchSiteContent, SiteSearchQuery, SiteSearchScope } from "./SearchSite.ts"
