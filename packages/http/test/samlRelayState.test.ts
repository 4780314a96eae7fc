/**
 * Attacks on the relay state of SAML logins: redirects, markup, relay states of other logins, assertions of other organizations, and
 * unsolicited responses. The identity provider of these tests is shared by two organizations, as it is at a company
 * that administers both.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { buildSignedResponse, type Keys, type LoginResponse, makeKeys } from "./identityProvider.ts"
import { memory, ruleStores } from "./stores.ts"
import { openBrowser, signedInBrowser, type TestBrowser } from "./support/browser.ts"
import { startSamlLogin } from "./support/samlLogin.ts"
import { startServer, type TestServer } from "./support.ts"

let keys: Keys
beforeAll(async () => {
  keys = await makeKeys()
})

type World = Awaited<ReturnType<typeof startSamlLogin>>

const encode = (xml: string): string => Buffer.from(xml).toString("base64")

/** Posts a response as the page of an identity provider does: from another website, and without the cookies of the browser. */
const postFrom = (browser: TestBrowser, world: World, xml: string, state: string | undefined) => {
  const held = new Map(browser.cookies)
  browser.cookies.clear()
  const sent = browser.request(world.pathOf(world.provider.service.acsURL), {
    from: "cross-site",
    form: { SAMLResponse: encode(xml), ...(state === undefined ? {} : { RelayState: state }) }
  })
  for (const [name, value] of held) browser.cookies.set(name, value)
  return sent
}

/** Starts a login in a browser, and returns the id and the relay state of its request. */
const beginIn = async (browser: TestBrowser, world: World, query = "") => {
  const started = await browser.request(world.pathOf(world.provider.service.startURL) + query)
  expect(started.status).toBe(302)
  return world.parse(started.location!)
}

const signed = (world: World, inResponseTo: string, differences: Partial<LoginResponse> = {}): string =>
  buildSignedResponse(world.responseTo(inResponseTo, differences), keys)

const script = `"><script>alert(1)</script>`

/** Relay states and return paths that refer to another website, that contain markup, or that add headers. */
const hostile = [
  "https://evil.example.com/",
  "//evil.example.com/",
  "/\\evil.example.com",
  "\\\\evil.example.com",
  "javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  script,
  "app\r\nLocation: https://evil.example.com/",
  "app/../../evil",
  "app/%2e%2e/%2E%2E/evil",
  "http:evil.example.com",
  "\u0000",
  "https://[",
  "a".repeat(5_000)
]

describe("a relay state", () => {
  let server: TestServer
  let here: World
  let there: World
  beforeAll(async () => {
    server = await startServer(await memory.make())
    here = await startSamlLogin(server, "here", keys)
    there = await startSamlLogin(server, "there", keys)
  })
  afterAll(() => server.close())

  const countMembers = async (world: World): Promise<number> =>
    (await world.call<{ count: number }>("GET", `/orgs/${world.organization}/members`)).count

  /** Expects that a response does not sign a user in, and that its page does not contain the relay state. */
  const expectRejected = async (world: World, xml: string, state: string | undefined) => {
    const browser = openBrowser(server)
    const response = await postFrom(browser, world, xml, state)
    // Rejected before anything is verified: too long, or with a character that text cannot have.
    const isInvalid = state !== undefined && (state.length > 1_000 || state.includes("\u0000"))
    expect([state, response.status]).toEqual([state, isInvalid ? 400 : 401])
    expect(response.location).toBeUndefined()
    expect([...browser.cookies.keys()].filter((name) => name !== "lectern_login")).toEqual([])
    expect(response.headers.get("content-security-policy")).toMatch(
      /default-src 'none'.*frame-ancestors 'none'/
    )
    expect(response.headers.get("cache-control")).toBe("no-store")
    if (state !== undefined && state.length > 8) expect(response.text).not.toContain(state)
    expect(response.text).not.toContain("evil.example.com")
    expect(await countMembers(world)).toBe(1)
  }

  it("is not a URL that a login redirects to, nor a part of the page that rejects it", async () => {
    for (const state of hostile) {
      const { id } = await here.begin()
      await expectRejected(here, signed(here, id), state)
    }
  })

  it("explains a rejected login to a person, with a way to start again, and to a program as an error", async () => {
    const { id } = await here.begin()
    const page = await postFrom(openBrowser(server), here, signed(here, id), script)
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(page.text).toContain("<h1>The sign-in failed</h1>")
    expect(page.text).toContain(`href="../../../~/login"`)
    expect(page.text).not.toContain("<script")
    const program = await here.post(signed(here, id), script)
    expect(await program.json()).toMatchObject({ error: { code: 401, reason: "LoginExpired" } })
  })

  it("does not contain the path to return to, which the browser that has started the login retains", async () => {
    for (const given of [...hostile, "app/spaces?x=1"]) {
      const expected = given === "app/spaces?x=1" ? "/app/spaces?x=1" : "/"
      const browser = openBrowser(server)
      const query = `?${new URLSearchParams({ return: given })}`
      const { id, state } = await beginIn(browser, there, query)
      expect(state).not.toContain("evil")
      const email = "returning@there.example.com"
      const posted = await postFrom(browser, there, signed(there, id, { email }), state)
      expect([given.slice(0, 80), posted.status]).toEqual([given.slice(0, 80), 303])
      const used = await browser.request(posted.location!, { from: "cross-site" })
      expect([given.slice(0, 80), used.status, used.location]).toEqual([given.slice(0, 80), 303, expected])
    }
    // A sibling domain or a program of the machine can plant the cookie: its path is validated again.
    const browser = openBrowser(server)
    const { id, state } = await beginIn(browser, there)
    const [secret] = browser.cookies.get("lectern_login")!.split(".")
    browser.cookies.set("lectern_login", `${secret}.${encodeURIComponent("//evil.example.com")}`)
    const posted = await postFrom(browser, there, signed(there, id), state)
    expect((await browser.request(posted.location!, { from: "cross-site" })).location).toBe("/")
    for (const member of (
      await there.call<{ items: ReadonlyArray<{ id: string }> }>("GET", `/orgs/${there.organization}/members`)
    ).items) {
      if (member.id !== there.admin)
        await there.call("DELETE", `/orgs/${there.organization}/members/${member.id}`)
    }
  })

  it("of another organization, of another login, with exchanged fields or with another signature is rejected", async () => {
    const own = await here.begin()
    const another = await here.begin()
    const foreign = await there.begin()
    const [request, startedAt, browser, signature] = own.state.split(".") as [string, string, string, string]
    const digest = "a".repeat(64)
    const states = [
      foreign.state,
      another.state,
      `${request}.${startedAt}.${digest}.${signature}`,
      `${request}.${startedAt}..${signature}`,
      `${another.id}.${startedAt}.${browser}.${signature}`,
      `${request}.zzzzzzzz.${browser}.${signature}`,
      `${request}.${startedAt}${browser}.${signature}`,
      `${request}.${startedAt}.${browser}.${foreign.state.split(".")[3]}`,
      `${request}.${startedAt}.${browser}.`,
      signature
    ]
    for (const state of states) await expectRejected(here, signed(here, own.id), state)
    // The login itself was not consumed by them.
    const accepted = await here.post(signed(here, own.id), own.state)
    expect(accepted.status).toBe(200)
    const { user } = (await accepted.json()) as { user: string }
    await here.call("DELETE", `/orgs/${here.organization}/members/${user}`)
  })

  it("does not admit the assertion of an organization at the provider of another, which has the same keys and issuer", async () => {
    const mine = await here.begin()
    const theirs = await there.begin()
    const assertions = [
      signed(here, mine.id),
      // Its user names the request of the other organization, at which they want to be signed in.
      signed(here, theirs.id),
      signed(here, theirs.id, { destination: there.provider.service.acsURL }),
      signed(here, theirs.id, { recipient: there.provider.service.acsURL }),
      signed(here, theirs.id, { audience: there.provider.service.entityID })
    ]
    for (const xml of assertions) {
      for (const state of [mine.state, theirs.state]) await expectRejected(there, xml, state)
    }
    // A second provider of the same organization is another service too.
    const second = await here.call<World["provider"]>("POST", `/orgs/${here.organization}/saml`, {
      label: "Second",
      entityID: here.entityID,
      certificate: keys.certificate,
      ssoURL: "https://idp.example.com/sso"
    })
    const other = { ...here, provider: second }
    await expectRejected(other, signed(here, mine.id), mine.state)
    await here.call("DELETE", `/orgs/${here.organization}/saml/${second.id}`)
    const accepted = await here.post(signed(here, mine.id), mine.state)
    expect(accepted.status).toBe(200)
    const { user } = (await accepted.json()) as { user: string }
    await here.call("DELETE", `/orgs/${here.organization}/members/${user}`)
  })

  it("is required: an unsolicited response is rejected", async () => {
    const { id, state } = await here.begin()
    const unsolicited = (["assertion", "response"] as const).map((element) =>
      signed(here, id, { isUnsolicited: true, signed: element })
    )
    for (const xml of [...unsolicited, signed(here, ""), signed(here, "_never-sent")]) {
      for (const given of [undefined, "", "app", "https://here.example.com/app", state]) {
        await expectRejected(here, xml, given)
      }
    }
    await expectRejected(here, signed(here, id), undefined)
  })

  it("of the attacker's login signs a victim in to nothing without a click that names the account", async () => {
    const attacker = openBrowser(server)
    const { id, state } = await beginIn(attacker, there)
    const xml = signed(there, id, { email: "attacker@there.example.com" })
    const victim = await signedInBrowser(server, "admin@here.example.com")
    const before = victim.cookies.get("lectern_session")
    const posted = await postFrom(victim, there, xml, state)
    const page = await victim.request(posted.location!, { from: "cross-site" })
    expect([page.status, victim.cookies.get("lectern_session")]).toEqual([200, before])
    expect(page.text).toContain("Sign in as attacker@there.example.com")
    expect(page.text).toContain("You are signed in already.")
    const forced = await victim.request(posted.location!, { from: "cross-site", method: "POST" })
    expect([forced.status, victim.cookies.get("lectern_session")]).toEqual([403, before])
  })
})

describe("a response that is sent several times concurrently", () => {
  for (const { name, make } of ruleStores) {
    it(`signs in once, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const world = await startSamlLogin(server, "acme", keys)
        const { id, state } = await world.begin()
        const xml = signed(world, id)
        const responses = await Promise.all(Array.from({ length: 4 }, () => world.post(xml, state)))
        expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
      } finally {
        await server.close()
      }
    })
  }
})
