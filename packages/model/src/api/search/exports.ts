/** The public names of search in `@lectern/model/api`. */
export { SearchApi } from "./SearchApi.ts"
