/** Second factors that an organization requires, and recovery codes. */
import { afterEach, describe, expect, it, vi } from "vitest"
import { memory, ruleStores } from "./stores.ts"
import type { TestBrowser } from "./support/browser.ts"
import { addPasskey, sendJson, signInByPasskey, verifyByPasskey } from "./support/passkeyPages.ts"
import { type PasskeyServer, startPasskeyServer } from "./support/passkeyServer.ts"
import { createAuthenticator } from "./support/softAuthenticator.ts"

afterEach(() => {
  vi.useRealTimers()
})

const wait = (milliseconds: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds })

/** Starts a server with an organization whose administrator Ada has a passkey, and with the member Bob without a passkey. */
const start = async (store: Parameters<typeof startPasskeyServer>[0]) => {
  const server = await startPasskeyServer(store)
  const ada = await server.createUser("ada@example.com")
  const organization = await server.createOrganization("Acme", ada)
  const org = `/orgs/${organization}`
  const adaToken = await server.tokenOf(ada)
  const bob = await server.createUser("bob@example.com")
  await server.workspace.administration.setMember({
    organization: organization as never,
    user: bob as never,
    input: { role: "edit" }
  })
  const browser = await server.signIn("ada@example.com")
  const authenticator = createAuthenticator(server.origin)
  expect((await addPasskey(browser, authenticator)).status).toBe(201)
  const requireFactor = async (isRequired = true) => {
    const updated = await server.call(browser, "PATCH", org, { secondFactor: isRequired })
    expect([updated.status, updated.body.secondFactor]).toEqual([200, isRequired])
  }
  return {
    server,
    ada,
    bob,
    org,
    adaToken,
    bobToken: await server.tokenOf(bob),
    browser,
    authenticator,
    requireFactor
  }
}

const required = { status: 403, body: { error: { reason: "SecondFactorRequired" } } }

const createCodes = async (browser: TestBrowser): Promise<ReadonlyArray<string>> => {
  const { status, body } = await sendJson(browser, "POST", "/~/recovery-codes")
  expect(status).toBe(201)
  return body.codes as ReadonlyArray<string>
}

const enterCode = (browser: TestBrowser, code: string) =>
  browser.request("/~/second-factor", { form: { code, return: "" } })

/** Returns the status of a request to the organization. */
const statusIn = async (server: PasskeyServer, as: TestBrowser | string, path: string): Promise<number> =>
  (await server.call(as, "GET", path)).status

describe.each(ruleStores)("an organization that requires a second factor, on $name", (store) => {
  it("denies sessions without one, tokens of members without a passkey, and new tokens, until it is verified", async () => {
    const { server, org, adaToken, bobToken, authenticator, requireFactor } = await start(store)
    const space = (await server.call(adaToken, "POST", `${org}/spaces`, { title: "Docs" })).body.id as string
    const unverified = await server.signIn("ada@example.com")
    const bob = await server.signIn("bob@example.com")
    for (const as of [unverified, bob, bobToken]) expect(await statusIn(server, as, org)).toBe(200)
    await requireFactor()

    for (const as of [unverified, bob, bobToken]) {
      for (const path of [org, `/spaces/${space}`, `${org}/members`]) {
        expect(await server.call(as, "GET", path)).toMatchObject(required)
      }
    }
    expect(await statusIn(server, adaToken, org)).toBe(200)
    for (const session of [unverified, bob]) {
      expect(await server.call(session, "POST", "/user/tokens", { label: "Way around" })).toMatchObject(
        required
      )
    }

    const verified = await verifyByPasskey(unverified, authenticator)
    expect(verified.status).toBe(200)
    expect(await statusIn(server, unverified, org)).toBe(200)
    // The member adds a passkey, which admits the session and the tokens.
    expect((await addPasskey(bob, createAuthenticator(server.origin))).status).toBe(201)
    expect([await statusIn(server, bob, org), await statusIn(server, bobToken, org)]).toEqual([200, 200])
    await requireFactor(false)
    expect(await statusIn(server, await server.signIn("bob@example.com"), org)).toBe(200)
  })

  it("admits a session by a recovery code, which works once", async () => {
    const { server, org, browser, requireFactor } = await start(store)
    await requireFactor()
    const codes = await createCodes(browser)
    expect([codes.length, new Set(codes).size]).toEqual([10, 10])
    for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
    const session = await server.signIn("ada@example.com")
    // As people type it: in upper case, with spaces.
    const typed = codes[0]!.toUpperCase().replaceAll("-", " ")
    expect((await enterCode(session, typed)).status).toBe(303)
    expect(await statusIn(server, session, org)).toBe(200)
    expect((await sendJson(session, "GET", "/~/passkeys")).body).toMatchObject({
      recoveryCodes: 9,
      verified: true
    })

    const other = await server.signIn("ada@example.com")
    const repeated = await enterCode(other, codes[0]!)
    expect(repeated.status).toBe(401)
    expect(repeated.text).toContain("The code is unknown or was used before.")
    expect(await server.call(other, "GET", org)).toMatchObject(required)

    // New codes replace the others.
    const replaced = await createCodes(browser)
    expect((await enterCode(other, codes[1]!)).status).toBe(401)
    expect((await enterCode(other, replaced[0]!)).status).toBe(303)
  })

  it("accepts a recovery code once, also if it is entered several times concurrently", async () => {
    const { server, browser } = await start(store)
    const [code] = await createCodes(browser)
    const sessions = await Promise.all(Array.from({ length: 3 }, () => server.signIn("ada@example.com")))
    const results = await Promise.all(sessions.map((session) => enterCode(session, code!)))
    expect(results.map(({ status }) => status).sort()).toEqual([303, 401, 401])
  })

  it("counts wrong recovery codes that are entered concurrently", async () => {
    const { server, browser } = await start(store)
    const [code] = await createCodes(browser)
    const session = await server.signIn("ada@example.com")
    const wrong = await Promise.all(
      Array.from({ length: 14 }, (_, number) => enterCode(session, `wrong ${number}`))
    )
    expect(wrong.map(({ status }) => status)).toEqual(Array.from({ length: 14 }, () => 401))
    expect(wrong.filter(({ text }) => text.includes("10 wrong recovery codes were entered."))).toHaveLength(4)
    expect((await enterCode(session, code!)).status).toBe(401)
  })
})

describe("an organization that requires a second factor", () => {
  it("exports no content of it to a session without one, or to a token of a member without a passkey", async () => {
    const { server, org, adaToken, bobToken, authenticator, requireFactor } = await start(memory)
    const space = (await server.call(adaToken, "POST", `${org}/spaces`, { title: "Docs" })).body.id as string
    for (const token of [adaToken, bobToken]) {
      const comment = { body: { markdown: "A confidential remark" } }
      expect((await server.call(token, "POST", `/spaces/${space}/comments`, comment)).status).toBe(200)
    }
    const ada = await server.signIn("ada@example.com")
    const bob = await server.signIn("bob@example.com")
    await requireFactor()
    for (const as of [ada, bob, bobToken]) {
      const exported = await server.call(as, "GET", "/user/data")
      expect([exported, JSON.stringify(exported.body).includes("confidential")]).toMatchObject([
        required,
        false
      ])
    }
    // The page redirects to the one that proves a second factor, and returns.
    for (const session of [ada, bob]) {
      const { status, location, text } = await session.request("/~/account/data")
      expect([status, location, text]).toEqual([303, "/~/second-factor?return=~%2Faccount", ""])
    }
    const text = (response: { readonly body: object }) => JSON.stringify(response.body)
    await verifyByPasskey(ada, authenticator)
    expect(text(await server.call(ada, "GET", "/user/data"))).toContain("confidential")
    expect(text(await server.call(adaToken, "GET", "/user/data"))).toContain("confidential")
    await addPasskey(bob, createAuthenticator(server.origin))
    expect((await bob.request("/~/account/data")).text).toContain("confidential")
  })

  it("requires that an administrator has a passkey", async () => {
    const { server, org, browser, adaToken } = await start(memory)
    const { passkeys } = (await sendJson(browser, "GET", "/~/passkeys")).body as {
      readonly passkeys: ReadonlyArray<{ readonly id: string }>
    }
    expect((await sendJson(browser, "DELETE", `/~/passkeys/${passkeys[0]!.id}`)).status).toBe(204)
    expect(await server.call(adaToken, "PATCH", org, { secondFactor: true })).toMatchObject({
      status: 409,
      body: { error: { reason: "SecondFactorMissing" } }
    })
    expect((await server.call(adaToken, "GET", org)).body.secondFactor).toBe(false)
  })

  it("denies all sessions of a user who removes the last passkey, whose recovery codes end", async () => {
    const { server, org, browser, authenticator, requireFactor } = await start(memory)
    await requireFactor()
    const other = server.open()
    expect((await signInByPasskey(other, authenticator)).status).toBe(200)
    expect(await statusIn(server, other, org)).toBe(200)
    const [code] = await createCodes(browser)
    const { passkeys } = (await sendJson(browser, "GET", "/~/passkeys")).body as {
      readonly passkeys: ReadonlyArray<{ readonly id: string }>
    }
    expect((await sendJson(browser, "DELETE", `/~/passkeys/${passkeys[0]!.id}`)).status).toBe(204)
    expect(await server.call(browser, "GET", org)).toMatchObject(required)
    expect(await statusIn(server, other, org)).toBe(401)
    expect((await enterCode(browser, code!)).status).toBe(401)
    expect((await sendJson(browser, "GET", "/~/passkeys")).body).toMatchObject({
      passkeys: [],
      recoveryCodes: 0,
      verified: false,
      required: true
    })
  })

  it("applies to new members", async () => {
    const { server, org, browser, requireFactor } = await start(memory)
    await requireFactor()
    await server.createUser("new@example.com")
    const invited = await server.call(browser, "POST", `${org}/invites`, {
      emails: ["new@example.com"],
      role: "read"
    })
    expect(invited.status).toBe(200)
    expect(await server.call(await server.signIn("new@example.com"), "GET", org)).toMatchObject(required)
  })

  it("is in the audit log with the sessions that have verified one", async () => {
    const { server, org, browser, authenticator, requireFactor } = await start(memory)
    await requireFactor()
    const session = await server.signIn("ada@example.com")
    const [code] = await createCodes(browser)
    await enterCode(session, "wrong")
    await enterCode(session, code!)
    await verifyByPasskey(session, authenticator)
    const log = await server.call(browser, "GET", `${org}/audit-log`)
    const operations = (log.body.items as ReadonlyArray<{ operation: string }>).map(
      ({ operation }) => operation
    )
    for (const name of ["Passkeys.createRecoveryCodes", "Passkeys.useRecoveryCode", "Passkeys.verify"]) {
      expect(operations).toContain(name)
    }
    expect(JSON.stringify(log.body)).not.toContain(code!)
  })
})

describe("recovery codes", () => {
  it("cannot be guessed: 10 wrong codes in an hour end the attempts, also with the right one", async () => {
    const { server, browser, authenticator } = await start(memory)
    const [code] = await createCodes(browser)
    const thief = await server.signIn("ada@example.com")
    const tried = await Promise.all(
      Array.from({ length: 10 }, (_, number) => enterCode(thief, `0000-0000-0000-000${number}`))
    )
    expect(tried.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 401))
    for (const session of [thief, await server.signIn("ada@example.com")]) {
      const refused = await enterCode(session, code!)
      expect(refused.status).toBe(401)
      expect(refused.text).toContain("10 wrong recovery codes were entered.")
    }
    // A passkey still works.
    expect((await verifyByPasskey(thief, authenticator)).status).toBe(200)
    wait(60 * 60_000 + 1_000)
    expect((await enterCode(await server.signIn("ada@example.com"), code!)).status).toBe(303)
  })

  it("of another user, empty, too long or malformed are rejected", async () => {
    const { server, browser } = await start(memory)
    const [code] = await createCodes(browser)
    const bob = await server.signIn("bob@example.com")
    expect((await addPasskey(bob, createAuthenticator(server.origin))).status).toBe(201)
    for (const wrong of [code!, "", " ", "x".repeat(101), "\u0000", "<script>"]) {
      const refused = await enterCode(bob, wrong)
      expect([wrong.slice(0, 10), refused.status]).toEqual([wrong.slice(0, 10), 401])
      expect(refused.text).not.toContain("<script>x")
    }
    // The code was not used by the attempt.
    expect((await enterCode(await server.signIn("ada@example.com"), code!)).status).toBe(303)
  })

  it("require a passkey, and are entered on a page of this server only", async () => {
    const { server, browser } = await start(memory)
    const bob = await server.signIn("bob@example.com")
    expect(await sendJson(bob, "POST", "/~/recovery-codes")).toMatchObject({
      status: 409,
      body: { error: { reason: "SecondFactorMissing" } }
    })
    const [code] = await createCodes(browser)
    const session = await server.signIn("ada@example.com")
    const foreign = await session.request("/~/second-factor", {
      from: "cross-site",
      form: { code: code!, return: "" }
    })
    expect(foreign.status).not.toBe(401)
    expect((await sendJson(session, "GET", "/~/passkeys")).body).toMatchObject({
      recoveryCodes: 10,
      verified: false
    })
    const outside = await server.open().request("/~/second-factor")
    expect(decodeURIComponent(outside.location!)).toBe("/~/login?return=~/second-factor")
    const returned = await session.request("/~/second-factor", {
      form: { code: code!, return: "https://evil.example.com" }
    })
    expect([returned.status, returned.location]).toEqual([303, "/"])
  })
})
