/** Lectern as a service provider: the addresses that identity providers and browsers know it by. */

/** Where the addresses of single sign-on are, behind the workspace's own. */
export const ssoPath = "/sso/saml/"

/** The addresses of Lectern for one provider; the entity id is the address of its metadata. */
export const serviceOf = (base: string, provider: string) => {
  const entityID = `${base}${ssoPath}${provider}`
  return { acsURL: `${entityID}/acs`, startURL: `${entityID}/start`, entityID }
}
