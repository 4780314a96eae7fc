/** Lectern as a service provider: its URLs for identity providers and browsers. */
import type { SamlService } from "@lectern/model/saml"

/** The path prefix of the URLs of single sign-on, below the URL of the workspace. */
export const ssoPath = "/sso/saml/"

/** Returns the URLs of Lectern for one provider. The entity id is the URL of its metadata. */
export const serviceOf = (base: string, provider: string): SamlService => {
  const entityID = `${base}${ssoPath}${provider}`
  return { acsURL: `${entityID}/acs`, startURL: `${entityID}/start`, entityID }
}
