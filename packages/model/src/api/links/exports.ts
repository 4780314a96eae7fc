/** The public names of links in `@lectern/model/api`. */
export { LinksApi } from "./LinksApi.ts"
