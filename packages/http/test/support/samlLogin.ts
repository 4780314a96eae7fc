/** An organization with a SAML provider, and logins at it. */
import type { SamlProvider } from "@lectern/core"
import { expect } from "vitest"
import { type Keys, type LoginResponse, parseLoginRequest } from "../identityProvider.ts"
import type { TestServer } from "../support.ts"

const entityID = "https://idp.example.com/metadata"

/** Starts an organization with a SAML provider whose responses have these keys, and the requests that a browser makes to log in. */
export const startSamlLogin = async (server: TestServer, name: string, keys: Keys) => {
  const admin = await server.core.createUser(`admin@${name}.example.com`)
  const organization = await server.core.createOrganization(name, admin)
  const token = await server.tokenOf(admin)
  const call = async <A>(method: string, path: string, body?: unknown, as = token): Promise<A> => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await server.fetch(`/v1${path}`, { method, token: as, ...init })
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status} ${text}`)
    return (text === "" ? undefined : JSON.parse(text)) as A
  }
  const team = await call<{ id: string }>("PUT", `/orgs/${organization}/teams`, { title: "Staff" })
  const provider = await call<SamlProvider>("POST", `/orgs/${organization}/saml`, {
    label: "Acme",
    entityID,
    certificate: keys.certificate,
    ssoURL: "https://idp.example.com/sso?tenant=1",
    defaultTeam: team.id,
    defaultRole: "edit"
  })
  expect(provider.status).toBe("active")
  const pathOf = (url: string) => new URL(url).pathname

  /** Starts a login, and parses the SAML request to which the browser is redirected. */
  const begin = async () => {
    const response = await server.fetch(pathOf(provider.service.startURL), { redirect: "manual" })
    expect(response.status).toBe(302)
    const location = response.headers.get("location")!
    expect(location).toMatch(/^https:\/\/idp\.example\.com\/sso\?tenant=1&SAMLRequest=/)
    return parseLoginRequest(location)
  }
  /** Posts a SAML response, as the browser does. */
  const post = (xml: string, state: string, headers: Record<string, string> = {}) =>
    server.fetch(pathOf(provider.service.acsURL), {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      body: new URLSearchParams({
        SAMLResponse: Buffer.from(xml).toString("base64"),
        RelayState: state
      }).toString()
    })
  const responseTo = (inResponseTo: string, differences: Partial<LoginResponse> = {}): LoginResponse => ({
    email: `new@${name}.example.com`,
    displayName: "Ada <Lovelace>",
    audience: provider.service.entityID,
    recipient: provider.service.acsURL,
    destination: provider.service.acsURL,
    issuer: entityID,
    inResponseTo,
    notBeforeMillis: -1000,
    notAfterMillis: 300_000,
    signed: "assertion",
    ...differences
  })
  return {
    admin,
    token,
    organization,
    team: team.id,
    provider,
    entityID,
    call,
    pathOf,
    begin,
    parse: parseLoginRequest,
    post,
    responseTo
  }
}
