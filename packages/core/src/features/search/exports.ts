/** The public names of search in `@lectern/core`, besides the model. */

export { searchParts } from "../../tables/search/SearchPage.ts"
export { PublishedSearch } from "./PublishedSearch.ts"
export { Search } from "./Search.ts"
export { SearchIndex } from "./SearchIndex.ts"
export { SiteSearch, type VisitorSearch } from "./SiteSearch.ts"
export { parseSearchTerms } from "./searchTerms.ts"
