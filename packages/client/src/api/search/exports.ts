/** The public names of search in `@lectern/client`. */
export { SearchApi } from "./SearchApi.ts"
