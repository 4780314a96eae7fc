/** All names of `search`. */
export * from "./SearchResult.ts"
export * from "./SearchSite.ts"
