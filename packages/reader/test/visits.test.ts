/** Members as visitors of a site: single sign-on by SAML and by OpenID Connect, with Lectern as the backend of the site. */
import { oidcRedirectUrl } from "@lectern/core"
import { nodeFetcher } from "@lectern/http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  buildSignedResponse,
  type Keys,
  makeKeys,
  parseLoginRequest
} from "../../http/test/identityProvider.ts"
import { clientSettings, startOpenIdProvider } from "../../http/test/support/openIdProvider.ts"
import { type PageServer, startPageServer } from "./support/scene.ts"

let server: PageServer
let keys: Keys
let site: { readonly id: string; readonly url: string }

const entityID = "https://idp.example.com/metadata"

const as = () => server.workspace.as(server.user)

/** Requests URLs as a browser does: with its cookies, and without following redirects. */
const makeBrowser = () => {
  const cookies = new Map<string, string>()
  return async (url: string, init: RequestInit = {}) => {
    const path = new URL(url).pathname
    const sent = [...cookies].filter(([key]) => path.startsWith(key.split(" ")[1]!))
    const cookie = sent.map(([key, value]) => `${key.split(" ")[0]}=${value}`).join("; ")
    const response = await fetch(url, {
      redirect: "manual",
      ...init,
      headers: { accept: "text/html", cookie, ...(init.headers as Record<string, string>) }
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name, value, cookiePath] = /^([^=]+)=([^;]*); Path=([^;]+)/.exec(set)!
      cookies.set(`${name} ${cookiePath}`, value!)
    }
    const location = response.headers.get("location")
    return {
      status: response.status,
      html: await response.text(),
      location: location === null ? "" : new URL(location, url).href
    }
  }
}

beforeAll(async () => {
  server = await startPageServer({ fetcher: nodeFetcher({ allow: ["127.0.0.1"] }) })
  keys = await makeKeys()
  const { organization } = server
  const space = await as().spaces.create({ organization, input: { title: "Internal" } })
  await as().content.edit({
    content: { space: space.id },
    input: {
      changes: [
        { operation: "insert_page", title: "Start", document: { markdown: "Welcome\n" } },
        {
          operation: "insert_page",
          title: "Editors",
          document: { markdown: "{% if visitor.claims.role == 'edit' %}\nFor editors\n{% endif %}\n" }
        }
      ]
    }
  })
  const created = await as().sites.create({
    organization,
    input: { title: "Docs", visibility: "visitor-auth", spaces: [space.id] }
  })
  await as().sites.publish({ organization, site: created.id })
  const { urls } = await as().sites.get({ organization, site: created.id })
  site = { id: created.id, url: urls.published! }
})
afterAll(() => server.close())

const setFallback = (query: string) =>
  as().siteSettings.updatePublishingAuth({
    organization: server.organization,
    site: site.id,
    input: { fallbackURL: `${server.url}/~/visit/${server.organization}/${site.id}${query}` }
  })

it("signs a visitor in by SAML, and returns them to the page that they requested", async () => {
  const { organization } = server
  const provider = await as().samlProviders.create({
    organization,
    input: {
      label: "Acme",
      entityID,
      certificate: keys.certificate,
      ssoURL: "https://idp.example.com/sso",
      defaultRole: "edit"
    }
  })
  await setFallback(`?sso=${provider.id}`)
  const browse = makeBrowser()
  const refused = await browse(`${site.url}editors`)
  expect(refused.status).toBe(302)
  const visit = await browse(refused.location)
  expect(visit.location.split("?")[0]).toBe(provider.service.startURL)
  const start = await browse(visit.location)
  const { id, acsURL, state } = parseLoginRequest(start.location)
  const xml = buildSignedResponse(
    {
      email: "grace@example.com",
      audience: provider.service.entityID,
      recipient: acsURL,
      destination: acsURL,
      issuer: entityID,
      inResponseTo: id,
      notBeforeMillis: -60_000,
      notAfterMillis: 300_000,
      signed: "assertion"
    },
    keys
  )
  const login = await browse(acsURL, {
    method: "POST",
    body: new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString("base64"), RelayState: state })
  })
  expect(login.status).toBe(303)
  // The browser that has started the login needs no confirmation. Another one does.
  expect((await makeBrowser()(login.location)).html).toContain("Sign in as grace@example.com")
  const session = await browse(login.location)
  expect(session.status).toBe(303)
  const again = await browse(session.location)
  const admitted = await browse(again.location)
  expect(admitted.location).toBe(`${site.url}editors`)
  const page = await browse(admitted.location)
  expect([page.status, page.html]).toEqual([200, expect.stringContaining("For editors")])
  const { items } = await as().auditLog.list({ organization, input: { operation: "MemberVisits.start" } })
  expect(items).toMatchObject([{ outcome: "success" }])
})

describe("single sign-on by OpenID Connect", () => {
  /** Creates an active provider of an organization, whose user is `email`. */
  const createProvider = async (organization: string, email: string) => {
    const identities = await startOpenIdProvider([])
    const provider = await as().oidcProviders.create({
      organization,
      input: {
        label: "Acme",
        issuer: identities.issuer,
        clientID: clientSettings.clientId,
        clientSecret: clientSettings.clientSecret,
        domains: ["example.com"],
        defaultRole: "edit"
      }
    })
    identities.setRedirectUrls([oidcRedirectUrl(server.url, provider.id)])
    identities.users.set("visitor", { email, email_verified: true })
    return { identities, provider }
  }

  it("signs a visitor in, and returns them to the page that they requested", async () => {
    const { organization } = server
    const { identities, provider } = await createProvider(organization, "henry@example.com")
    await setFallback(`?sso=${provider.id}`)
    const browse = makeBrowser()
    const refused = await browse(`${site.url}editors`)
    const visit = await browse(refused.location)
    expect(visit.location.split("?")[0]).toBe(provider.service.startURL)
    const start = await browse(visit.location)
    expect(start.location.startsWith(identities.issuer)).toBe(true)
    const session = await browse(await identities.logIn(start.location, "visitor"))
    expect(session.status).toBe(303)
    const admitted = await browse((await browse(session.location)).location)
    expect(admitted.location).toBe(`${site.url}editors`)
    const page = await browse(admitted.location)
    expect([page.status, page.html]).toEqual([200, expect.stringContaining("For editors")])
    const { items } = await as().auditLog.list({ organization, input: { operation: "MemberVisits.start" } })
    const { items: members } = await as().members.list({ organization, input: { search: "henry" } })
    expect(members).toMatchObject([{ role: "edit", sso: true }])
    expect(items[0]).toMatchObject({
      outcome: "success",
      actor: members[0]!.id,
      samlProvider: provider.id
    })
  })

  it("is not started at the provider of another organization, or at an unknown one", async () => {
    const other = await server.workspace.administration.createOrganization({
      administrator: server.user,
      input: { title: "Other" }
    })
    const { provider } = await createProvider(other, "eve@example.com")
    for (const id of [provider.id, "unknown", "../../x", "A".repeat(300)]) {
      await setFallback(`?${new URLSearchParams({ sso: id })}`)
      const browse = makeBrowser()
      const visit = await browse((await browse(`${site.url}editors`)).location)
      expect(new URL(visit.location).pathname).toBe(`/sso/saml/${encodeURIComponent(id)}/start`)
      expect((await browse(visit.location)).status).not.toBe(302)
    }
  })
})

it("admits a member with a session, below the site only", async () => {
  const browse = makeBrowser()
  await setFallback("")
  const refused = await browse(`${site.url}editors`)
  const login = new URL((await browse(refused.location)).location)
  const session = await browse(`${await server.createSignInLink()}${login.search}`, {
    method: "POST",
    headers: { "sec-fetch-site": "same-origin" }
  })
  const visit = await browse(session.location)
  const token = new URL(visit.location).searchParams.get("jwt_token")!
  const claims = JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString())
  expect(claims).toMatchObject({ sub: server.user, role: "admin", aud: server.organization })
  expect((await browse((await browse(visit.location)).location)).html).toContain("Editors")
  for (const location of [
    "//attacker.example",
    "/../../../o/x",
    "\\\\attacker.example/",
    "/%2e%2e/%2e%2e/x",
    "?x#y"
  ]) {
    const url = `${server.url}/~/visit/${server.organization}/${site.id}?${new URLSearchParams({ location })}`
    expect((await browse(url)).location).toSatisfy((given: string) => given.startsWith(site.url))
  }
})

it("admits no member to a site that they cannot see, or that is not published", async () => {
  const browse = makeBrowser()
  await browse(await server.createSignInLink(), {
    method: "POST",
    headers: { "sec-fetch-site": "same-origin" }
  })
  const visit = (id: string) => browse(`${server.url}/~/visit/${server.organization}/${id}`)
  expect((await visit("unknown")).status).toBe(404)
  await as().sites.unpublish({ organization: server.organization, site: site.id })
  expect((await visit(site.id)).status).toBe(404)
})
