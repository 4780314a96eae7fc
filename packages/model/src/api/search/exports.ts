export { SearchApi } from "./SearchApi.ts"
