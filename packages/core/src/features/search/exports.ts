/** What `@lectern/core` exports of search, beside its model. */

export { searchPages } from "../../model/search/SearchPage.ts"
export { Search } from "./Search.ts"
export { SearchIndex } from "./SearchIndex.ts"
export { termsOf } from "./SearchQuery.ts"
