/** What `@lectern/client` exports of search. */
export { SearchApi } from "./SearchApi.ts"
