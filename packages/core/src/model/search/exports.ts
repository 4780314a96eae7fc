/** What `@lectern/core/model` exports of search. */
export {
  SearchPageResult,
  SearchQuery,
  SearchSectionResult,
  SearchSpaceResult
} from "./SearchResult.ts"
