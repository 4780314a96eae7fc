/** The public names of OpenID Connect in `@lectern/model/api`. */
export { OidcApi } from "./OidcApi.ts"
