/** The public names of OpenID Connect in `@lectern/core`, besides the model. */
export { maximumIdTokenLength } from "@lectern/model/oidc"
export type { OidcClientSettings } from "./loginProviders.ts"
export { OidcLogins, type OidcLogout } from "./OidcLogins.ts"
export { OidcProviders, oidcLogoutUrl, oidcPath, oidcRedirectUrl } from "./OidcProviders.ts"
export { OrganizationOidcProviders } from "./OrganizationOidcProviders.ts"
