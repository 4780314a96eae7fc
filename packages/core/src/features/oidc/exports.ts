/** The public names of OpenID Connect in `@lectern/core`, besides the model. */
export { OidcLogins } from "./OidcLogins.ts"
export { OidcProviders, oidcPath, oidcRedirectUrl } from "./OidcProviders.ts"
