/** The providers of OpenID Connect of the instance. */
import type { OidcProvider, OidcProviderSettings } from "@lectern/model/oidc"
import { Context } from "effect"

/** The providers of OpenID Connect that the operator has configured; none by default. It is read when the workspace is built. */
export const OidcProviders = Context.Reference<ReadonlyArray<OidcProviderSettings>>(
  "@lectern/core/OidcProviders",
  { defaultValue: () => [] }
)

/** The path prefix of the URLs of OpenID Connect, below the URL of the workspace. */
export const oidcPath = "/sso/oidc/"

/** Returns the URL at which users start to log in. */
export const oidcStartUrl = (base: string, provider: string): string => `${base}${oidcPath}${provider}/start`

/** Returns the URL to which a provider returns after a logout, which is registered there. */
export const oidcLogoutUrl = (base: string): string => `${base}/~/login`

/** Returns the URL that the provider redirects to, which is registered there. Each provider has its own. */
export const oidcRedirectUrl = (base: string, provider: string): string =>
  `${base}${oidcPath}${provider}/callback`

/** Returns the URLs of Lectern for a provider. */
export const oidcServiceOf = (base: string, provider: string): OidcProvider["service"] => ({
  redirectURL: oidcRedirectUrl(base, provider),
  logoutURL: oidcLogoutUrl(base),
  startURL: oidcStartUrl(base, provider)
})
