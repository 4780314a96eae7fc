/** The public names of links in `@lectern/client`. */
export { LinksApi } from "./LinksApi.ts"
