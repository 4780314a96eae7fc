/** Passkeys: adding, signing in, and the attacks that an authenticator in software can build. */
import { afterEach, describe, expect, it, vi } from "vitest"
import { memory, ruleStores } from "./stores.ts"
import { addPasskey, requestOptions, sendJson, signInByPasskey } from "./support/passkeyPages.ts"
import { type PasskeyServer, startPasskeyServer } from "./support/passkeyServer.ts"
import { createAuthenticator, type ResponseDifferences } from "./support/softAuthenticator.ts"
import { startWorkspace } from "./support/workspaceServer.ts"

afterEach(() => {
  vi.useRealTimers()
})

const minute = 60_000

const wait = (milliseconds: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds })

/** Starts a server with the user Ada, who administers an organization and has a passkey. */
const start = async (store: Parameters<typeof startPasskeyServer>[0], isCounting = true) => {
  const server = await startPasskeyServer(store)
  const ada = await server.createUser("ada@example.com")
  const organization = await server.createOrganization("Acme", ada)
  const browser = await server.signIn("ada@example.com")
  const authenticator = createAuthenticator(server.origin, isCounting)
  const added = await addPasskey(browser, authenticator, "Laptop")
  expect(added).toMatchObject({ status: 201, body: { name: "Laptop", synced: false, lastUsedAt: null } })
  return { server, ada, organization, browser, authenticator, passkey: added.body.id as string }
}

const operationsOf = async (
  server: PasskeyServer,
  as: Parameters<PasskeyServer["call"]>[0],
  organization: string
) => {
  const log = await server.call(as, "GET", `/orgs/${organization}/audit-log`)
  return (log.body.items as ReadonlyArray<{ operation: string }>).map(({ operation }) => operation)
}

describe.each(ruleStores)("a passkey on $name", (store) => {
  it("is added, signs in without an address, is renamed and removed, and is in the audit log", async () => {
    const { server, ada, organization, browser, authenticator, passkey } = await start(store)
    const other = server.open()
    const signedIn = await signInByPasskey(other, authenticator, {}, "app/me")
    expect(signedIn).toMatchObject({ status: 200, body: { location: "../app/me" } })
    expect((await server.call(other, "GET", "/user")).body).toMatchObject({ id: ada })
    const sessions = await server.call(other, "GET", "/user/sessions")
    expect(sessions.body.items).toMatchObject([{ method: "passkey", current: true }, { method: "link" }])

    const renamed = await sendJson(browser, "PATCH", `/~/passkeys/${passkey}`, { name: "Old laptop" })
    expect(renamed).toMatchObject({ status: 200, body: { name: "Old laptop" } })
    const listed = await sendJson(browser, "GET", "/~/passkeys")
    expect(listed.body).toMatchObject({
      host: "localhost",
      passkeys: [{ id: passkey, name: "Old laptop", lastUsedAt: expect.any(String) }],
      recoveryCodes: 0,
      verified: true,
      required: false
    })
    expect((await sendJson(browser, "DELETE", `/~/passkeys/${passkey}`)).status).toBe(204)
    expect((await sendJson(browser, "DELETE", `/~/passkeys/${passkey}`)).status).toBe(404)
    expect((await signInByPasskey(server.open(), authenticator)).status).toBe(401)

    const operations = await operationsOf(server, browser, organization)
    for (const name of ["Passkeys.register", "PasskeySignIns.finish", "Passkeys.rename", "Passkeys.remove"]) {
      expect(operations).toContain(name)
    }
  })

  it("is exported without its key, and erased with the account", async () => {
    const server = await startPasskeyServer(store)
    await server.createUser("eve@example.com")
    const browser = await server.signIn("eve@example.com")
    const authenticator = createAuthenticator(server.origin)
    expect((await addPasskey(browser, authenticator, "Laptop")).status).toBe(201)
    const data = await browser.request("/~/account/data")
    expect(JSON.parse(data.text)).toMatchObject({
      passkeys: { items: [{ name: "Laptop", host: "localhost" }] }
    })
    expect(data.text).not.toContain(authenticator.credential)
    expect((await browser.request("/~/account", { form: { email: "eve@example.com" } })).status).toBe(303)
    expect((await signInByPasskey(server.open(), authenticator)).status).toBe(401)
  })

  it("accepts a challenge once, also if its response is sent several times concurrently", async () => {
    const { server, authenticator } = await start(store)
    const browser = server.open()
    const response = authenticator.sign(await requestOptions(browser, "passkey-sign-in"))
    const results = await Promise.all(
      Array.from({ length: 4 }, () =>
        sendJson(server.open(), "POST", "/~/passkey-sign-in", { returnTo: "", response })
      )
    )
    expect(results.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
  })
})

describe("a response of a passkey is rejected", () => {
  const attacks: ReadonlyArray<readonly [string, ResponseDifferences]> = [
    ["of a page of another origin", { origin: "https://evil.example.com" }],
    ["of a page of another port of the host", { origin: "http://localhost:1" }],
    ["for another host name", { rpId: "evil.example.com" }],
    ["that was created in a frame of another website", { crossOrigin: true }],
    ["that names another website around its frame", { topOrigin: "https://evil.example.com" }],
    ["to a challenge of its own", { challenge: Buffer.from("own.challenge.x").toString("base64url") }],
    ["that was created for a new credential", { type: "webauthn.create" }],
    ["with the handle of another user", { userHandle: Buffer.from("another").toString("base64url") }],
    ["without a verified user", { flags: 1 }],
    ["without a present user", { flags: 4 }],
    ["with an unknown credential", { credential: Buffer.from("unknown").toString("base64url") }]
  ]
  for (const [name, differences] of attacks) {
    it(name, async () => {
      const { server, authenticator } = await start(memory)
      const browser = server.open()
      expect(await signInByPasskey(browser, authenticator, differences)).toMatchObject({
        status: 401,
        body: { error: { reason: "PasskeyInvalid" } }
      })
      expect(browser.cookies.size).toBe(0)
      // The passkey itself was not changed by the attempt.
      expect((await signInByPasskey(browser, authenticator)).status).toBe(200)
    })
  }

  it("whose signature belongs to another key, or to other data", async () => {
    const { server, authenticator } = await start(memory)
    const browser = server.open()
    const options = await requestOptions(browser, "passkey-sign-in")
    const own = authenticator.sign(options)
    const stranger = createAuthenticator(server.origin).sign(options, {
      credential: authenticator.credential,
      userHandle: own.response.userHandle
    })
    const forged = { ...own, response: { ...own.response, signature: stranger.response.signature } }
    for (const response of [stranger, forged]) {
      const { status } = await sendJson(browser, "POST", "/~/passkey-sign-in", { returnTo: "", response })
      expect(status).toBe(401)
    }
  })

  it("without the handle of a user", async () => {
    const { server, authenticator } = await start(memory)
    const browser = server.open()
    const { response, ...rest } = authenticator.sign(await requestOptions(browser, "passkey-sign-in"))
    const { userHandle, ...anonymous } = response
    expect(userHandle).not.toBe("")
    const sent = { returnTo: "", response: { ...rest, response: anonymous } }
    expect((await sendJson(browser, "POST", "/~/passkey-sign-in", sent)).status).toBe(401)
  })

  it("more than 5 minutes after its challenge was created", async () => {
    const { server, authenticator } = await start(memory)
    const browser = server.open()
    const response = authenticator.sign(await requestOptions(browser, "passkey-sign-in"))
    wait(5 * minute + 1_000)
    expect((await sendJson(browser, "POST", "/~/passkey-sign-in", { returnTo: "", response })).status).toBe(
      401
    )
  })

  it("whose counter decreases or repeats: another device has a copy of the passkey", async () => {
    const { server, authenticator } = await start(memory)
    const browser = server.open()
    expect((await signInByPasskey(browser, authenticator, { counter: 10 })).status).toBe(200)
    for (const counter of [10, 9, 0]) {
      expect((await signInByPasskey(server.open(), authenticator, { counter })).status).toBe(401)
    }
    expect((await signInByPasskey(server.open(), authenticator, { counter: 11 })).status).toBe(200)
  })

  it("to a challenge of a session or of a new passkey, and the other way around", async () => {
    const { server, browser, authenticator } = await start(memory)
    const options = await Promise.all(
      (["second-factor", "passkeys"] as const).map((path) => requestOptions(browser, path))
    )
    for (const one of options) {
      const response = authenticator.sign(one)
      const sent = await sendJson(server.open(), "POST", "/~/passkey-sign-in", { returnTo: "", response })
      expect(sent.status).toBe(401)
    }
    const signIn = authenticator.sign(await requestOptions(browser, "passkey-sign-in"))
    const verified = await sendJson(browser, "POST", "/~/second-factor/passkey", {
      returnTo: "",
      response: signIn
    })
    expect(verified.status).toBe(401)
  })

  it("accepts a passkey that does not count, such as one that is synchronized", async () => {
    const { server, authenticator } = await start(memory, false)
    for (let use = 0; use < 2; use++) {
      expect((await signInByPasskey(server.open(), authenticator)).status).toBe(200)
    }
  })

  it("that is malformed or too long, before it is decoded", async () => {
    const { server, authenticator } = await start(memory)
    const browser = server.open()
    const valid = authenticator.sign(await requestOptions(browser, "passkey-sign-in"))
    const changed = (part: object) => ({ ...valid, response: { ...valid.response, ...part } })
    const responses = [
      {},
      null,
      { ...valid, id: "x".repeat(2_000) },
      { ...valid, id: "ä" },
      { ...valid, rawId: "other" },
      changed({ clientDataJSON: "x".repeat(5_000) }),
      changed({ clientDataJSON: "eA" }),
      changed({ authenticatorData: "AA" }),
      changed({ authenticatorData: "x".repeat(3_000) }),
      changed({ signature: "AA" }),
      changed({ userHandle: "x".repeat(200) })
    ]
    for (const response of responses) {
      const { status } = await sendJson(browser, "POST", "/~/passkey-sign-in", { returnTo: "", response })
      expect([400, 401]).toContain(status)
    }
    const huge = await sendJson(browser, "POST", "/~/passkey-sign-in", { returnTo: "x".repeat(60_000) })
    expect(huge.status).toBe(413)
  })

  it("that a page of another origin sends, which would sign a visitor in to the account of the attacker", async () => {
    const { server, authenticator } = await start(memory)
    const victim = server.open()
    const response = authenticator.sign(await requestOptions(server.open(), "passkey-sign-in"))
    for (const from of ["cross-site", "same-site"] as const) {
      const sent = await victim.request("/~/passkey-sign-in", {
        method: "POST",
        from,
        body: JSON.stringify({ returnTo: "", response })
      })
      expect(sent.status).toBe(403)
    }
    expect(victim.cookies.size).toBe(0)
  })

  it("and returns only to paths of the workspace", async () => {
    const { server, authenticator } = await start(memory)
    for (const returnTo of ["https://evil.example.com", "//evil.example.com", "app/../../x"]) {
      const { status, body } = await signInByPasskey(server.open(), authenticator, {}, returnTo)
      expect([status, String(body.location).includes("evil")]).toEqual([200, false])
    }
  })
})

describe("adding and removing a passkey", () => {
  it("requires a session, and rejects API tokens and requests of other origins", async () => {
    const { server, ada, browser, passkey } = await start(memory)
    const token = await server.tokenOf(ada)
    const paths = [
      ["GET", "/~/passkeys"],
      ["POST", "/~/passkeys/options"],
      ["POST", "/~/passkeys"],
      ["DELETE", `/~/passkeys/${passkey}`],
      ["POST", "/~/recovery-codes"]
    ] as const
    for (const [method, path] of paths) {
      const body = method === "GET" ? {} : { body: "{}" }
      const byToken = await server.fetch(path, { method, token, ...body })
      expect([path, [400, 403].includes(byToken.status)]).toEqual([path, true])
      const anonymous = await sendJson(server.open(), method, path)
      expect([path, [400, 401].includes(anonymous.status)]).toEqual([path, true])
      const foreign = await browser.request(path, { method, from: "cross-site", ...body })
      expect([path, foreign.status]).toEqual([path, 403])
    }
    expect((await sendJson(browser, "GET", "/~/passkeys")).body.passkeys).toHaveLength(1)
  })

  it("requires a sign-in in the last 10 minutes", async () => {
    const { server, browser, authenticator, passkey } = await start(memory)
    wait(10 * minute + 1_000)
    const fresh = { status: 403, body: { error: { reason: "FreshSignInRequired" } } }
    expect(await sendJson(browser, "POST", "/~/passkeys/options")).toMatchObject(fresh)
    expect(await sendJson(browser, "DELETE", `/~/passkeys/${passkey}`)).toMatchObject(fresh)
    expect(await sendJson(browser, "POST", "/~/recovery-codes")).toMatchObject(fresh)
    // Renaming grants no access.
    expect((await sendJson(browser, "PATCH", `/~/passkeys/${passkey}`, { name: "X" })).status).toBe(200)
    const again = server.open()
    expect((await signInByPasskey(again, authenticator)).status).toBe(200)
    expect((await sendJson(again, "DELETE", `/~/passkeys/${passkey}`)).status).toBe(204)
  })

  it("requires the second factor of an account that has one: an e-mail does not replace it", async () => {
    const { server, passkey } = await start(memory)
    const thief = await server.signIn("ada@example.com")
    const required = { status: 403, body: { error: { reason: "SecondFactorRequired" } } }
    expect(await addPasskey(thief, createAuthenticator(server.origin))).toMatchObject(required)
    expect(await sendJson(thief, "DELETE", `/~/passkeys/${passkey}`)).toMatchObject(required)
    expect(await sendJson(thief, "POST", "/~/recovery-codes")).toMatchObject(required)
  })

  it("rejects responses that another session has requested, that repeat, or that belong to another account", async () => {
    const { server, browser, authenticator } = await start(memory)
    await server.createUser("bob@example.com")
    const bob = await server.signIn("bob@example.com")
    const second = createAuthenticator(server.origin)
    const options = (await sendJson(browser, "POST", "/~/passkeys/options")).body
    const response = second.register(options as never)
    const invalid = { status: 401, body: { error: { reason: "PasskeyInvalid" } } }
    expect(await sendJson(bob, "POST", "/~/passkeys", { response })).toMatchObject(invalid)
    expect((await sendJson(browser, "POST", "/~/passkeys", { response })).status).toBe(201)
    expect(await sendJson(browser, "POST", "/~/passkeys", { response })).toMatchObject(invalid)
    // The credential of Ada, for the account of Bob.
    expect(await addPasskey(bob, authenticator)).toMatchObject(invalid)
    for (const differences of [
      { origin: "https://evil.example.com" },
      { rpId: "evil.example.com" },
      { crossOrigin: true },
      { topOrigin: "https://evil.example.com" },
      { flags: 1 },
      { type: "webauthn.get" }
    ]) {
      expect(await addPasskey(bob, createAuthenticator(server.origin), "X", differences)).toMatchObject(
        invalid
      )
    }
    expect((await sendJson(bob, "GET", "/~/passkeys")).body.passkeys).toEqual([])
  })

  it("rejects an attestation with certificates, whose verification would send requests to URLs in them", async () => {
    const { server, browser } = await start(memory)
    const authenticator = createAuthenticator(server.origin)
    for (const fmt of ["packed", "android-key", "apple", "tpm", "fido-u2f", "unknown"]) {
      const options = (await sendJson(browser, "POST", "/~/passkeys/options")).body
      const attStmt = new Map<string, unknown>([["x5c", [new Uint8Array(100)]]])
      const response = authenticator.register(options as never, {}, { fmt, attStmt })
      expect((await sendJson(browser, "POST", "/~/passkeys", { response })).status).toBe(401)
    }
  })

  it("admits at most 20 passkeys, with names of at most 100 characters", async () => {
    const { server, browser } = await start(memory)
    expect((await addPasskey(browser, createAuthenticator(server.origin), "x".repeat(101))).status).toBe(400)
    for (let number = 2; number <= 20; number++) {
      expect((await addPasskey(browser, createAuthenticator(server.origin))).status).toBe(201)
    }
    expect(await addPasskey(browser, createAuthenticator(server.origin))).toMatchObject({
      status: 409,
      body: { error: { reason: "LimitReached" } }
    })
  })
})

it("passkeys are off at an IP address, and the pages state why", async () => {
  const server = await startWorkspace(memory)
  await server.createUser("ada@example.com")
  const { openBrowser } = await import("./support/browser.ts")
  const login = await openBrowser(server).request("/~/login")
  expect(login.text).not.toContain("data-passkey")
  expect(await sendJson(openBrowser(server), "POST", "/~/passkey-sign-in/options")).toMatchObject({
    status: 409,
    body: { error: { reason: "PasskeysUnavailable" } }
  })
})
