/** Sign-in by OpenID Connect, at a real provider. */
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { createWorkspace, type OidcProviderSettings, oidcRedirectUrl, type Plain } from "@lectern/core"
import { nodeFetcher, toNodeListener } from "@lectern/http"
import { Layer, ManagedRuntime } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { memory, ruleStores } from "./stores.ts"
import { openBrowser, type TestBrowser } from "./support/browser.ts"
import { clientSettings, startOpenIdProvider, type TestProvider } from "./support/openIdProvider.ts"

type Settings = Partial<Plain<OidcProviderSettings>>

/** Starts a server with two providers, `acme` and `other`. */
const start = async (store = memory, settingsOf: (organization: string) => Settings = () => ({})) => {
  let listener: RequestListener | undefined
  const server = createServer((request, response) => listener?.(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const acme = await startOpenIdProvider([oidcRedirectUrl(url, "acme")])
  const other = await startOpenIdProvider([oidcRedirectUrl(url, "other")])
  // The store of both workspaces.
  const stored = ManagedRuntime.make(await store.make())
  const storage = Layer.effectContext(stored.contextEffect)
  const base = { label: "Acme", domains: ["example.com"], ...clientSettings }
  const open = (settings: Settings) =>
    createWorkspace({
      storage,
      publicUrl: url,
      fetcher: nodeFetcher({ allow: ["127.0.0.1"] }),
      oidcProviders: [
        { ...base, id: "acme", issuer: acme.issuer, ...settings },
        { ...base, id: "other", issuer: other.issuer, label: "Other" }
      ]
    })
  const first = open({})
  const ada = await first.administration.createUser({ input: { email: "ada@example.com" } })
  const organization = await first.administration.createOrganization({
    administrator: ada,
    input: { title: "Acme" }
  })
  const settings = settingsOf(organization)
  const workspace = Object.keys(settings).length === 0 ? first : open(settings)
  listener = toNodeListener(workspace)
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await workspace.dispose()
    if (workspace !== first) await first.dispose()
    await stored.dispose()
  })
  return { url, workspace, acme, other, ada, organization, browser: openBrowser({ url }) }
}

/** Starts a login, and returns the authorization URL. */
const begin = async (browser: TestBrowser, provider = "acme", search = "") =>
  (await browser.request(`/sso/oidc/${provider}/start${search}`)).location!

const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search

/** Logs a user in at a provider, and returns the path of the callback. */
const callbackOf = async (browser: TestBrowser, provider: TestProvider, user: string, id = "acme") =>
  pathOf(await provider.logIn(await begin(browser, id), user))

const sessionsOf = async (browser: TestBrowser): Promise<ReadonlyArray<{ method: string }>> => {
  const { status, text } = await browser.request("/v1/user/sessions")
  return status === 200 ? JSON.parse(text).items : []
}

const bob = { email: "bob@example.com", email_verified: true, name: "Bob" }

describe.each(ruleStores)("a login on $name", (store) => {
  it("creates the account of an address in the domain, with the role and the session of a member", async () => {
    const { acme, browser, organization } = await start(store, (id) => ({
      organization: id,
      groups: { editors: { role: "edit" }, reviewers: { role: "review" }, others: { role: "read" } }
    }))
    acme.users.set("bob", { ...bob, groups: ["others", "reviewers", "unknown"] })
    expect((await browser.request("/~/login")).text).toContain("Continue with Acme")
    const authorization = new URL(await begin(browser, "acme", "?return=o/x"))
    expect(Object.fromEntries(authorization.searchParams)).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      nonce: expect.any(String)
    })
    const callback = pathOf(await acme.logIn(authorization.href, "bob"))
    const done = await browser.request(callback, { from: "cross-site" })
    expect([done.status, done.location]).toEqual([303, "/o/x"])
    expect(await sessionsOf(browser)).toMatchObject([{ method: "oidc", current: true }])
    const user = JSON.parse((await browser.request("/v1/user")).text)
    expect(user).toMatchObject({ email: bob.email, displayName: "Bob" })
    const member = await browser.request(`/v1/orgs/${organization}/members/${user.id}`)
    expect(JSON.parse(member.text)).toMatchObject({ role: "review" })
    // The account is found by the subject, also after the address has changed at the provider.
    acme.users.set("bob", { ...bob, email: "robert@example.com", groups: ["others"] })
    const again = openBrowser({ url: authorization.searchParams.get("redirect_uri")! })
    expect((await again.request(await callbackOf(again, acme, "bob"))).status).toBe(303)
    expect(JSON.parse((await again.request("/v1/user")).text).id).toBe(user.id)
    const changed = await browser.request(`/v1/orgs/${organization}/members/${user.id}`)
    expect(JSON.parse(changed.text)).toMatchObject({ role: "read" })
  })
})

describe("an attacker", () => {
  const expectRefused = async (browser: TestBrowser, path: string, status: number) => {
    const response = await browser.request(path, { from: "cross-site" })
    expect([response.status, await sessionsOf(browser)]).toEqual([status, []])
    return response.text
  }

  it("cannot sign a visitor in with a response for another browser (login CSRF)", async () => {
    const { url, acme } = await start()
    acme.users.set("mallory", { ...bob, email: "mallory@example.com" })
    const callback = await callbackOf(openBrowser({ url }), acme, "mallory")
    const victim = openBrowser({ url })
    await expectRefused(victim, callback, 401)
    await begin(victim)
    await expectRefused(victim, callback, 401)
  })

  it("cannot use a response of one provider at another (mix-up)", async () => {
    const { acme, browser } = await start()
    acme.users.set("bob", bob)
    const callback = await callbackOf(browser, acme, "bob")
    await expectRefused(browser, callback.replace("/acme/", "/other/"), 401)
    const second = await callbackOf(browser, acme, "bob")
    await expectRefused(browser, second.replace(/iss=[^&]+/, "iss=https%3A%2F%2Fother.example.com"), 502)
  })

  it("cannot inject a code of another login", async () => {
    const { url, acme, browser } = await start()
    acme.users.set("bob", bob)
    const stolen = new URL(await callbackOf(openBrowser({ url }), acme, "bob"), url)
    const own = new URL(await callbackOf(browser, acme, "bob"), url)
    own.searchParams.set("code", stolen.searchParams.get("code")!)
    await expectRefused(browser, own.pathname + own.search, 502)
  })

  it("cannot replay a response", async () => {
    const { acme, browser } = await start()
    acme.users.set("bob", bob)
    const callback = await callbackOf(browser, acme, "bob")
    const login = browser.cookies.get("lectern_login")!
    expect((await browser.request(callback)).status).toBe(303)
    browser.cookies.clear()
    browser.cookies.set("lectern_login", login)
    await expectRefused(browser, callback, 502)
  })

  it("cannot sign in with an address that the provider has not verified, or that no domain admits", async () => {
    const { acme, browser } = await start()
    acme.users.set("bob", { ...bob, email_verified: false })
    acme.users.set("cy", { ...bob, email: "cy@example.net" })
    expect(await expectRefused(browser, await callbackOf(browser, acme, "bob"), 401)).toContain(
      "has not verified your e-mail address"
    )
    expect(await expectRefused(browser, await callbackOf(browser, acme, "cy"), 401)).toContain(
      "No account has your e-mail address."
    )
  })

  it("cannot sign in to the account of another user by its address at another provider, or as another user of the same", async () => {
    const { url, acme, other, browser } = await start()
    acme.users.set("bob", bob)
    acme.users.set("mallory", bob)
    other.users.set("mallory", bob)
    expect((await browser.request(await callbackOf(browser, acme, "bob"))).status).toBe(303)
    for (const [provider, id] of [
      [other, "other"],
      [acme, "acme"]
    ] as const) {
      const attacker = openBrowser({ url })
      const callback = await callbackOf(attacker, provider, "mallory", id)
      expect(await expectRefused(attacker, callback, 401)).toContain("signs in by another identity")
    }
  })

  it("cannot choose where the provider redirects to, or start at an unknown provider", async () => {
    const { url, browser } = await start()
    const authorization = await browser.request("/sso/oidc/acme/start?redirect_uri=https://evil.example", {
      headers: { "x-forwarded-host": "evil.example" }
    })
    expect(new URL(authorization.location!).searchParams.get("redirect_uri")).toBe(
      `${url}/sso/oidc/acme/callback`
    )
    for (const path of [
      "/sso/oidc/unknown/start",
      "/sso/oidc/unknown/callback?state=x",
      "/sso/oidc/acme/x"
    ]) {
      expect([path, (await browser.request(path)).status]).toEqual([path, 404])
    }
    const long = `/sso/oidc/acme/callback?state=${"x".repeat(9_000)}`
    expect((await browser.request(long)).status).toBe(404)
  })
})
