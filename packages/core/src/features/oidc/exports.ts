/** The public names of OpenID Connect in `@lectern/core`, besides the model. */
export type { OidcClientSettings } from "./loginProviders.ts"
export { OidcLogins } from "./OidcLogins.ts"
export { OidcProviders, oidcLogoutUrl, oidcPath, oidcRedirectUrl } from "./OidcProviders.ts"
export { OrganizationOidcProviders } from "./OrganizationOidcProviders.ts"
