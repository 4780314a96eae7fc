export { LinksApi } from "./LinksApi.ts"
