/** OpenID Connect providers of organizations, at a real provider: logins, single sign-on, groups, logout and keys. */
import type { AuditRecord, Member, OidcProvider, SamlProvider, SsoLogins } from "@lectern/core"
import { afterEach, describe, expect, it, vi } from "vitest"
import { makeKeys } from "./identityProvider.ts"
import { memory, stores } from "./stores.ts"
import { openBrowser, type TestBrowser } from "./support/browser.ts"
import { clientSettings, startOpenIdProvider, type TestProvider } from "./support/openIdProvider.ts"
import { startWorkspace, type WorkspaceServer } from "./support/workspaceServer.ts"

afterEach(() => {
  vi.useRealTimers()
})

const client = { clientID: clientSettings.clientId, clientSecret: clientSettings.clientSecret }

/** Starts an organization with a provider. */
const start = async (server: WorkspaceServer, name: string, settings: Record<string, unknown> = {}) => {
  const identities = await startOpenIdProvider([])
  const email = `admin@${name}.example.com`
  const admin = await server.createUser(email)
  const organization = await server.createOrganization(name, admin)
  const token = await server.tokenOf(admin)
  const call = async <A>(method: string, path: string, body?: unknown, as = token): Promise<A> => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await server.fetch(`/v1${path}`, { method, token: as, ...init })
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status} ${text}`)
    return (text === "" ? undefined : JSON.parse(text)) as A
  }
  const org = `/orgs/${organization}`
  const team = await call<{ id: string }>("PUT", `${org}/teams`, { title: "Staff" })
  const provider = await call<OidcProvider>("POST", `${org}/oidc`, {
    label: "Acme",
    issuer: identities.issuer,
    ...client,
    domains: [`${name}.example.com`],
    defaultRole: "read",
    defaultTeam: team.id,
    ...settings
  })
  expect(provider.status).toBe("active")
  identities.setRedirectUrls([provider.service.redirectURL], [provider.service.logoutURL])
  return { admin, email, organization, org, team: team.id, provider, identities, call, name }
}

const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search

/** Logs a user in, and returns the response of the callback. */
const logIn = async (
  browser: TestBrowser,
  identities: TestProvider,
  { service }: OidcProvider,
  user: string
) => {
  const started = await browser.request(pathOf(service.startURL), { from: "cross-site" })
  expect(started.status).toBe(302)
  const callback = await identities.logIn(started.location!, user)
  return browser.request(pathOf(callback), { from: "cross-site" })
}

const readJson = async <A>(browser: TestBrowser, path: string): Promise<A> =>
  JSON.parse((await browser.request(path)).text) as A

const newPerson = (name: string, more: object = {}) => ({
  email: `new@${name}.example.com`,
  email_verified: true,
  name: "Bob",
  ...more
})

describe.each([memory, ...stores])("a provider of an organization on $name", (store) => {
  it("signs in with the rights of groups, limited to the organization and as single sign-on, and ends with the provider", async () => {
    const server = await startWorkspace(store)
    const groups = [
      { group: "editors", role: "edit" },
      { group: "readers", role: "read" }
    ]
    const acme = await start(server, "acme", { groupsClaim: "teams", groups })
    const other = await start(server, "other")
    const { organization, org, call, identities, provider } = acme
    const engineers = await call<{ id: string }>("PUT", `${org}/teams`, { title: "Engineers" })
    await call("PATCH", `${org}/oidc/${provider.id}`, {
      groups: [...groups, { group: "engineers", team: engineers.id }]
    })
    identities.users.set("bob", newPerson("acme", { teams: ["editors", "readers", "engineers", "others"] }))
    const browser = openBrowser(server)
    expect((await logIn(browser, identities, provider, "bob")).status).toBe(303)
    const user = await readJson<{ id: string }>(browser, "/v1/user")
    const member = await call<Member>("GET", `${org}/members/${user.id}`)
    expect(member).toMatchObject({ role: "edit", sso: true })
    const teams = await call<{ items: ReadonlyArray<{ team: { id: string } }> }>(
      "GET",
      `${org}/members/${user.id}/teams`
    )
    expect(teams.items.map(({ team }) => team.id).toSorted()).toEqual([acme.team, engineers.id].toSorted())
    const sessions = await readJson<{ items: ReadonlyArray<object> }>(browser, "/v1/user/sessions")
    expect(sessions.items).toMatchObject([{ method: "oidc", organization, current: true }])

    // The session acts in no other organization, not even in one that the user is a member of.
    await other.call("POST", `${other.org}/invites`, { emails: ["new@acme.example.com"], role: "admin" })
    expect((await browser.request(`/v1${other.org}`)).status).toBe(404)

    // The organization requires single sign-on: the session is admitted, and a token of the same user is not.
    const ownToken = await server.tokenOf(user.id)
    await call("POST", `${org}/members/${acme.admin}/sso`)
    await call("PATCH", org, { sso: true })
    expect([
      (await browser.request(`/v1${org}/spaces`)).status,
      (await server.fetch(`/v1${org}/spaces`, { token: ownToken })).status
    ]).toEqual([200, 403])
    const logins = await call<SsoLogins>("GET", `${org}/sso`)
    expect(logins.items).toEqual([{ id: provider.id, label: "Acme", startURL: provider.service.startURL }])

    // The sign-in page offers the provider again, because no other can authenticate the session.
    expect((await browser.request("/~/login")).text).toContain("Continue with Acme")

    const { items } = await call<{ items: ReadonlyArray<AuditRecord> }>("GET", `${org}/audit-log?limit=100`)
    expect(items.map(({ operation }) => operation)).toContain("OidcLogins.finish")
    expect(items.map(({ operation }) => operation)).toContain("OrganizationOidcProviders.create")
    expect(JSON.stringify(items)).not.toContain(client.clientSecret)

    await call("DELETE", `${org}/oidc/${provider.id}`)
    expect((await browser.request("/v1/user")).status).toBe(401)
    expect((await browser.request(pathOf(provider.service.startURL))).status).toBe(404)
  })
})

describe("an identity provider of an organization", () => {
  it("cannot add accounts of other domains, or accounts without a membership", async () => {
    const server = await startWorkspace(memory)
    const acme = await start(server, "acme")
    await server.createUser("victim@elsewhere.example.com")
    acme.identities.users.set("victim", newPerson("elsewhere", { email: "victim@elsewhere.example.com" }))
    acme.identities.users.set("new", newPerson("nowhere"))
    for (const user of ["victim", "new"]) {
      const browser = openBrowser(server)
      const refused = await logIn(browser, acme.identities, acme.provider, user)
      expect([refused.status, browser.cookies.has("lectern_session")]).toEqual([401, false])
    }
    // An invitation makes the user a member, whom the provider authenticates.
    await acme.call("POST", `${acme.org}/invites`, { emails: ["victim@elsewhere.example.com"], role: "read" })
    const browser = openBrowser(server)
    expect((await logIn(browser, acme.identities, acme.provider, "victim")).status).toBe(303)
  })

  it("cannot access the account of a member who signs in by another provider of the organization", async () => {
    const server = await startWorkspace(memory)
    const acme = await start(server, "acme")
    acme.identities.users.set("bob", newPerson("acme"))
    expect((await logIn(openBrowser(server), acme.identities, acme.provider, "bob")).status).toBe(303)
    const second = await startOpenIdProvider([])
    const provider = await acme.call<OidcProvider>("POST", `${acme.org}/oidc`, {
      label: "Second",
      issuer: second.issuer,
      ...client,
      domains: ["acme.example.com"]
    })
    second.setRedirectUrls([provider.service.redirectURL])
    second.users.set("mallory", newPerson("acme"))
    expect((await logIn(openBrowser(server), second, provider, "mallory")).status).toBe(401)
    // A link of one organization does not prevent logins of another.
    const other = await start(server, "other", { domains: ["acme.example.com"] })
    other.identities.users.set("bob", newPerson("acme"))
    expect((await logIn(openBrowser(server), other.identities, other.provider, "bob")).status).toBe(303)
  })

  it("rejects an issuer with credentials, which would be stored and shown, or with active content", async () => {
    const server = await startWorkspace(memory)
    const { call, org, provider } = await start(server, "acme")
    for (const issuer of [
      "https://client:secret@id.example.com",
      "https://client@id.example.com/",
      "https://id.example.com/?access_token=secret",
      "https://id.example.com/#secret",
      "javascript:alert(1)//id.example.com",
      "data:text/html,secret"
    ]) {
      const rejected = call("PATCH", `${org}/oidc/${provider.id}`, { issuer })
      await expect(rejected).rejects.toThrow(/^400 /)
      await expect(rejected).rejects.not.toThrow(/secret/)
    }
    expect(await call<OidcProvider>("GET", `${org}/oidc/${provider.id}`)).toMatchObject({
      issuer: provider.issuer
    })
  })

  it("cannot replace the session of a visitor without their notice, by a page that starts a login", async () => {
    const server = await startWorkspace(memory)
    const acme = await start(server, "acme")
    const other = await start(server, "other")
    acme.identities.users.set("bob", newPerson("acme"))
    const browser = openBrowser(server)
    await logIn(browser, acme.identities, acme.provider, "bob")
    const session = browser.cookies.get("lectern_session")
    const saml = await other.call<SamlProvider>("POST", `${other.org}/saml`, {
      label: "Other",
      entityID: "https://idp.example.com",
      ssoURL: "https://idp.example.com/sso",
      certificate: (await makeKeys()).certificate
    })
    expect(saml.status).toBe("active")
    for (const { service } of [other.provider, saml]) {
      const path = pathOf(service.startURL)
      for (const from of ["cross-site", "same-site"] as const) {
        const asked = await browser.request(`${path}?return=o/x`, { from })
        expect([asked.status, asked.headers.get("set-cookie")]).toEqual([200, null])
        expect(asked.text).toContain("You are signed in already.")
        expect(asked.text).toContain('href="start?return=o%2Fx"')
      }
      // The link on the page, and the address bar.
      for (const from of ["same-origin", "none"] as const) {
        expect((await browser.request(path, { from })).status).toBe(302)
      }
      expect((await openBrowser(server).request(path, { from: "cross-site" })).status).toBe(302)
    }
    expect(browser.cookies.get("lectern_session")).toBe(session)
  })

  it("forgets its users when its issuer changes", async () => {
    const server = await startWorkspace(memory)
    const acme = await start(server, "acme")
    acme.identities.users.set("bob", newPerson("acme"))
    const browser = openBrowser(server)
    await logIn(browser, acme.identities, acme.provider, "bob")
    expect((await browser.request("/v1/user")).status).toBe(200)
    const next = await startOpenIdProvider([acme.provider.service.redirectURL])
    await acme.call("PATCH", `${acme.org}/oidc/${acme.provider.id}`, { issuer: next.issuer })
    expect((await browser.request("/v1/user")).status).toBe(401)
    // The subject of the former issuer is another user at the new one.
    next.users.set("bob", newPerson("acme", { email: "other@acme.example.com" }))
    const another = openBrowser(server)
    expect((await logIn(another, next, acme.provider, "bob")).status).toBe(303)
    expect(await readJson(another, "/v1/user")).toMatchObject({ email: "other@acme.example.com" })
  })

  it("is pending until it has an issuer and a client id, and then has no login", async () => {
    const server = await startWorkspace(memory)
    const acme = await start(server, "acme")
    const pending = await acme.call<OidcProvider>("POST", `${acme.org}/oidc`, { label: "Later" })
    expect([pending.status, (await server.fetch(pathOf(pending.service.startURL))).status]).toEqual([
      "pending",
      404
    ])
  })
})

describe("a logout", () => {
  it("ends the session here, and continues at the provider with the ID token", async () => {
    const server = await startWorkspace(memory)
    const { identities, provider } = await start(server, "acme")
    identities.users.set("bob", newPerson("acme"))
    const browser = openBrowser(server)
    await logIn(browser, identities, provider, "bob")
    const session = browser.cookies.get("lectern_session")!
    const page = await browser.request("/~/logout", { method: "POST" })
    expect([page.status, browser.cookies.has("lectern_session")]).toEqual([200, false])
    const [, url = ""] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(page.text) ?? []
    const target = new URL(url.replaceAll("&amp;", "&"))
    expect([target.origin, target.searchParams.get("post_logout_redirect_uri")]).toEqual([
      identities.issuer,
      provider.service.logoutURL
    ])
    expect(target.searchParams.get("id_token_hint")).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    // The provider accepts the request.
    expect((await fetch(target)).status).toBe(200)
    browser.cookies.set("lectern_session", session)
    expect((await browser.request("/v1/user")).status).toBe(401)
  })

  it("returns the URL to a program of a page, and none without a session", async () => {
    const server = await startWorkspace(memory)
    const { identities, provider } = await start(server, "acme")
    identities.users.set("bob", newPerson("acme"))
    const browser = openBrowser(server)
    const json = { method: "POST", headers: { accept: "application/json" } }
    await logIn(browser, identities, provider, "bob")
    expect(JSON.parse((await browser.request("/~/logout", json)).text).url).toContain(identities.issuer)
    expect(JSON.parse((await browser.request("/~/logout", json)).text)).toEqual({})
    // Another website cannot sign a visitor out.
    await logIn(browser, identities, provider, "bob")
    await browser.request("/~/logout", { ...json, from: "cross-site" })
    expect((await browser.request("/v1/user")).status).toBe(200)
  })
})

it("a provider with invalid endpoints fails a login, and does not prevent a logout", async () => {
  const server = await startWorkspace(memory)
  const { identities, provider } = await start(server, "acme")
  identities.users.set("bob", newPerson("acme"))
  const browser = openBrowser(server)
  await logIn(browser, identities, provider, "bob")
  // Another client has no cached configuration.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11 * 60_000 })
  identities.declareEndpoints({
    authorization_endpoint: "javascript:alert(1)",
    end_session_endpoint: "nonsense"
  })
  expect((await browser.request(pathOf(provider.service.startURL))).status).toBe(502)
  expect((await browser.request("/~/logout", { method: "POST" })).status).toBe(303)
  expect((await browser.request("/v1/user")).status).toBe(401)
})

describe("the keys of a provider", () => {
  it("can rotate, without a restart", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() })
    const server = await startWorkspace(memory)
    const { identities, provider } = await start(server, "acme")
    identities.users.set("bob", newPerson("acme"))
    expect((await logIn(openBrowser(server), identities, provider, "bob")).status).toBe(303)
    identities.rotateKeys()
    vi.setSystemTime(Date.now() + 2 * 60_000)
    expect((await logIn(openBrowser(server), identities, provider, "bob")).status).toBe(303)
  })

  it("verify the ID token, also if it comes from the provider directly", async () => {
    const server = await startWorkspace(memory)
    const { identities, provider } = await start(server, "acme")
    identities.users.set("bob", newPerson("acme"))
    identities.signWithUnpublishedKeys()
    const browser = openBrowser(server)
    expect((await logIn(browser, identities, provider, "bob")).status).toBe(502)
    expect(browser.cookies.has("lectern_session")).toBe(false)
  })
})
