/** What `@lectern/client` exports of links. */
export { LinksApi } from "./LinksApi.ts"
