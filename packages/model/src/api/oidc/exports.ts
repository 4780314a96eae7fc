export { OidcApi } from "./OidcApi.ts"
