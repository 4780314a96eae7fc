// cspell:ignore anysphere
/** Attacks on the authorization of programs of others. `docs/guides/programs.md` lists them. */
import { oauthDigest, ProgramGrants } from "@lectern/core"
import { Effect } from "effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import { memory, ruleStores } from "./stores.ts"
import {
  authorizeIn,
  callback,
  decide,
  exchange,
  openConsent,
  type ProgramServer,
  refresh,
  registerProgram,
  returnedTo,
  startAuthorization,
  startProgramServer
} from "./support/programServer.ts"

afterEach(() => {
  vi.useRealTimers()
})

const wait = (milliseconds: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds })

const start = async (store: Parameters<typeof startProgramServer>[0] = memory) => {
  const server = await startProgramServer(store)
  const ada = await server.createUser("ada@example.com")
  await server.createOrganization("Acme", ada)
  const program = await registerProgram(server)
  const browser = await server.signIn("ada@example.com")
  return { server, program, browser }
}

const works = async (server: ProgramServer, token: string): Promise<boolean> =>
  (await server.fetch("/v1/orgs", { token })).status === 200

/** Returns the code of an authorization with its secret. */
const codeOf = async ({ browser, program }: Awaited<ReturnType<typeof start>>) => {
  const started = startAuthorization(program)
  const returned = await decide(browser, started)
  return { verifier: started.verifier, code: returned.searchParams.get("code")! }
}

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

const startDevice = async (server: ProgramServer) =>
  (await server.post("/~/oauth/device-authorization", { client_id: "lectern" })).body as {
    readonly device_code: string
    readonly user_code: string
    readonly verification_uri: string
  }

const poll = (server: ProgramServer, code: string) =>
  server.post("/~/oauth/token", { grant_type: deviceGrant, client_id: "lectern", device_code: code })

describe.each(ruleStores)("codes, tokens and decisions that are used twice, on $name", (store) => {
  it("ends the grant when a code is replayed", async () => {
    const started = await start(store)
    const { server, program } = started
    const { code, verifier } = await codeOf(started)
    const first = await exchange(server, program, code, verifier)
    expect(await works(server, String(first.body.access_token))).toBe(true)
    expect((await exchange(server, program, code, verifier)).body.error).toBe("invalid_grant")
    expect(await works(server, String(first.body.access_token))).toBe(false)
    expect((await refresh(server, program, String(first.body.refresh_token))).status).toBe(400)
  })

  it("exchanges a code once, also if it is sent several times concurrently", async () => {
    const started = await start(store)
    const { server, program } = started
    const { code, verifier } = await codeOf(started)
    const results = await Promise.all(
      Array.from({ length: 4 }, () => exchange(server, program, code, verifier))
    )
    expect(results.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    for (const { status, body } of results) {
      if (status === 200) expect(await works(server, String(body.access_token))).toBe(false)
    }
  })

  it("ends the whole family when a refresh token is used a second time", async () => {
    const { server, program, browser } = await start(store)
    const first = await authorizeIn(server, browser, program)
    const second = await refresh(server, program, first.refresh_token)
    expect(second.status).toBe(200)
    expect(second.body.refresh_token).not.toBe(first.refresh_token)
    const third = await refresh(server, program, String(second.body.refresh_token))
    expect(await works(server, String(third.body.access_token))).toBe(true)
    expect((await refresh(server, program, first.refresh_token)).body.error).toBe("invalid_grant")
    expect(await works(server, String(third.body.access_token))).toBe(false)
    expect((await refresh(server, program, String(third.body.refresh_token))).status).toBe(400)
  })

  it("rotates a refresh token once, also if it is sent several times concurrently", async () => {
    const { server, program, browser } = await start(store)
    const { refresh_token: token } = await authorizeIn(server, browser, program)
    const results = await Promise.all(Array.from({ length: 4 }, () => refresh(server, program, token)))
    expect(results.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    for (const { body } of results) {
      if (body.access_token !== undefined) expect(await works(server, String(body.access_token))).toBe(false)
    }
  })

  it("decides a request once, also if the decision is sent several times concurrently", async () => {
    const { program, browser } = await start(store)
    const { at } = await openConsent(browser, startAuthorization(program))
    const results = await Promise.all(
      Array.from({ length: 3 }, () => browser.request(at, { form: { decision: "allow" } }))
    )
    expect(results.filter(({ text }) => text.includes("http-equiv"))).toHaveLength(1)
    expect(JSON.parse((await browser.request("/v1/user/programs")).text).items).toHaveLength(1)
  })

  it("decides a device code once, also if the decision is sent several times concurrently", async () => {
    const { server, browser } = await start(store)
    const { device_code: code, user_code: userCode } = await startDevice(server)
    const form = { user_code: userCode, decision: "allow" }
    const results = await Promise.all(Array.from({ length: 3 }, () => browser.request("/~/device", { form })))
    expect(results.filter(({ text }) => text.includes("The device is connected."))).toHaveLength(1)
    expect(JSON.parse((await browser.request("/v1/user/programs")).text).items).toHaveLength(1)
    expect(await works(server, String((await poll(server, code)).body.access_token))).toBe(true)
  })

  it("changes a record once", async () => {
    const { server } = await start(store)
    const { records } = await server.workspace.runtime.runPromise(Effect.service(ProgramGrants))
    const [kind, digest, userCode] = ["DeviceCode", oauthDigest("secret"), "ABCDEFGH"]
    const twice = (change: Effect.Effect<boolean, unknown>) => Effect.runPromise(Effect.all([change, change]))
    const expiresAt = Date.now() + 60_000
    await Effect.runPromise(records.save({ kind, digest, grant: null, userCode, payload: {}, expiresAt }))
    expect(await twice(records.takeUserCode(kind, userCode))).toEqual([true, false])
    expect(await twice(records.consume(kind, digest))).toEqual([true, false])
  })
})

describe("an authorization request", () => {
  it("is rejected on a page of the server, without a redirect, for another redirect URI or program", async () => {
    const { program, browser } = await start()
    const uris = [
      "https://program.example.com/callback/other",
      "https://program.example.com/callback?x=1",
      "https://program.example.com.evil.example/callback",
      "https://program.example.com@evil.example/callback",
      "http://program.example.com/callback",
      "https://evil.example/callback",
      "javascript:alert(1)",
      "//evil.example/callback",
      `${callback}#fragment`
    ]
    for (const uri of uris) {
      const { path } = startAuthorization(program, { redirect_uri: uri })
      const response = await browser.request(path, { from: "cross-site" })
      expect([uri, response.status, response.location]).toEqual([uri, 400, undefined])
      expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
    }
    const unknown = await browser.request(startAuthorization("unknown").path, { from: "cross-site" })
    expect([unknown.status, unknown.location]).toEqual([400, undefined])
  })

  it("whose error no click precedes never redirects to a program that the person has not authorized", async () => {
    const { server, program, browser } = await start()
    const attempts: ReadonlyArray<Readonly<Record<string, string>>> = [
      { prompt: "none" },
      { code_challenge: "" },
      { response_type: "token" },
      { resource: "https://evil.example/v1" },
      { request: "eyJhbGciOiJub25lIn0.e30." }
    ]
    const attempt = async (from: typeof browser) => {
      const results: Array<readonly [number, string | undefined]> = []
      for (const parameters of attempts) {
        const { status, location } = await from.request(startAuthorization(program, parameters).path, {
          from: "cross-site"
        })
        results.push([status, location && new URL(location).origin])
      }
      return results
    }
    const rejected = attempts.map(() => [400, undefined])
    expect(await attempt(browser)).toEqual(rejected)
    await authorizeIn(server, browser, program)
    expect(await attempt(browser)).toEqual(attempts.map(() => [303, new URL(callback).origin]))
    await server.createUser("eve@example.com")
    expect(await attempt(await server.signIn("eve@example.com"))).toEqual(rejected)
    expect(await attempt(server.open())).toEqual(rejected)
  })

  it("is rejected without PKCE, and with the method plain", async () => {
    const { server, program, browser } = await start()
    await authorizeIn(server, browser, program)
    for (const parameters of [{ code_challenge: "" }, { code_challenge_method: "plain" }]) {
      const { path } = startAuthorization(program, parameters)
      const { location = "" } = await browser.request(path, { from: "cross-site" })
      const returned = new URL(location)
      expect(returned.origin).toBe(new URL(callback).origin)
      expect(returned.searchParams.get("error")).toBe("invalid_request")
      expect(returned.searchParams.get("code")).toBeNull()
    }
  })

  it("is bounded in its parameters, resources and response modes", async () => {
    const { server, program, browser } = await start()
    await authorizeIn(server, browser, program)
    const requests: ReadonlyArray<Readonly<Record<string, string>>> = [
      { state: "s".repeat(2_001) },
      { scope: "space.read ".repeat(500) },
      { response_mode: "form_post" },
      { response_mode: "fragment" }
    ]
    for (const parameters of requests) {
      const response = await browser.request(startAuthorization(program, parameters).path)
      expect([Object.keys(parameters), response.status, response.location]).toEqual([
        Object.keys(parameters),
        400,
        undefined
      ])
    }
    for (const resource of ["https://evil.example/v1", "not a URL", "http://127.0.0.1:1/v1"]) {
      const { path } = startAuthorization(program, { resource })
      const { location = "" } = await browser.request(path)
      expect(new URL(location).searchParams.get("error")).toBe("invalid_target")
    }
    const { path } = startAuthorization(program, { request: "eyJhbGciOiJub25lIn0.e30." })
    const { location = "" } = await browser.request(path)
    expect(new URL(location).searchParams.get("error")).toBe("request_not_supported")
  })

  it("names its issuer in each response, so that a program detects a mix-up", async () => {
    const { server, program, browser } = await start()
    const returned = await decide(browser, startAuthorization(program))
    expect(returned.searchParams.get("iss")).toBe(server.url)
    expect(returned.searchParams.get("state")).toBe("state of the program")
    const none = await browser.request(startAuthorization(program, { prompt: "none" }).path)
    expect(new URL(none.location!).searchParams.get("error")).toBe("login_required")
  })

  it("is never granted without a click, also if the person has authorized the program before", async () => {
    const { server, program, browser } = await start()
    await authorizeIn(server, browser, program)
    const page = await openConsent(browser, startAuthorization(program))
    expect([page.status, page.text.includes('value="allow"')]).toEqual([200, true])
  })
})

describe("a consent page", () => {
  it("accepts no decision that a page of another website sends", async () => {
    const { server, program, browser } = await start()
    const { at } = await openConsent(browser, startAuthorization(program))
    for (const from of ["cross-site", "same-site"] as const) {
      const response = await browser.request(at, { form: { decision: "allow" }, from })
      expect(response.status).toBe(400)
      expect(response.text).not.toContain("http-equiv")
    }
    expect(JSON.parse((await browser.request("/v1/user/programs")).text).items).toEqual([])
    expect(server.url).toBeDefined()
  })

  it("is decided only in the browser that has started the request, so that no browser receives the code of another person", async () => {
    const { server, program, browser } = await start()
    await server.createUser("eve@example.com")
    const eve = await server.signIn("eve@example.com")
    // Eve starts a request, and sends its page to Ada.
    const started = startAuthorization(program)
    const { at } = await openConsent(eve, started)
    expect((await browser.request(at)).status).toBe(410)
    expect((await browser.request(at, { form: { decision: "allow" } })).status).toBe(410)
    // The endpoint of the library that resumes a request is not reachable from outside.
    const id = at.split("/").at(-1)
    for (const one of [browser, eve]) {
      const resumed = await one.request(`/~/oauth/authorize/${id}`, {
        headers: { cookie: `_interaction_resume=${id}` }
      })
      expect(resumed.status).toBe(404)
    }
  })

  it("requires a sign-in in the last 10 minutes, and a session", async () => {
    const { server, program, browser } = await start()
    const { at } = await openConsent(browser, startAuthorization(program))
    wait(10 * 60_000)
    const stale = await browser.request(at, { form: { decision: "allow" } })
    expect([stale.status, stale.text.includes("/~/login?return=")]).toEqual([403, true])
    const stranger = server.open()
    const started = startAuthorization(program)
    const { location = "" } = await stranger.request(started.path)
    const redirected = await stranger.request(location)
    expect([redirected.status, redirected.location]).toEqual([
      303,
      `/~/login?${new URLSearchParams({ return: location.slice(1) })}`
    ])
  })

  it("displays the name of a program as text", async () => {
    const { server, browser } = await start()
    const program = await registerProgram(server, {
      client_name: '<script>alert(1)</script>" onload="\u202Egpj.exe\nLectern'
    })
    const { text } = await openConsent(browser, startAuthorization(program))
    expect(text).not.toContain("<script>alert")
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&quot;gpj.exeLectern")
  })
})

describe("a token request", () => {
  it("requires the verifier, the redirect URI and the program of the code", async () => {
    const started = await start()
    const { server, program } = started
    const other = await registerProgram(server)
    const attempts: ReadonlyArray<(code: string, verifier: string) => ReturnType<typeof exchange>> = [
      (code) => exchange(server, program, code, "x".repeat(43)),
      (code, verifier) => exchange(server, program, code, verifier, { code_verifier: "" }),
      (code, verifier) =>
        exchange(server, program, code, verifier, { redirect_uri: "https://evil.example/" }),
      (code, verifier) => exchange(server, other, code, verifier),
      (code, verifier) => exchange(server, program, `digest:${code}`, verifier)
    ]
    for (const attempt of attempts) {
      const { code, verifier } = await codeOf(started)
      const { status, body } = await attempt(code, verifier)
      expect([status, body.access_token]).toEqual([400, undefined])
    }
  })

  it("accepts no digest of the database as a token", async () => {
    const { server, program, browser } = await start()
    const { access_token: token, refresh_token: refreshToken } = await authorizeIn(server, browser, program)
    const { createHash } = await import("node:crypto")
    const digestOf = (text: string) => createHash("sha256").update(text).digest("hex")
    expect(await works(server, digestOf(token))).toBe(false)
    expect(await works(server, `digest:${digestOf(token)}`)).toBe(false)
    const { status } = await refresh(server, program, `digest:${digestOf(refreshToken)}`)
    expect(status).toBe(400)
    expect(await works(server, refreshToken)).toBe(false)
    expect(await works(server, token)).toBe(true)
  })

  it("grants no permission that the person has not authorized", async () => {
    const { server, program, browser } = await start()
    const tokens = await authorizeIn(server, browser, program, { scope: "space.read content.read" })
    const wider = await refresh(server, program, tokens.refresh_token, { scope: "space.read space.edit" })
    expect([wider.status, wider.body.error]).toEqual([400, "invalid_scope"])
    const narrower = await refresh(server, program, tokens.refresh_token, { scope: "space.read" })
    expect([narrower.status, narrower.body.scope]).toEqual([200, "space.read"])
    const elsewhere = await refresh(server, program, String(narrower.body.refresh_token), {
      resource: "https://evil.example/v1"
    })
    expect(elsewhere.body.error).toBe("invalid_target")
  })

  it("ends access tokens after 15 minutes, codes after a minute, and unused refresh tokens after 30 days", async () => {
    const started = await start()
    const { server, program, browser } = started
    const tokens = await authorizeIn(server, browser, program)
    const { code, verifier } = await codeOf(started)
    wait(2 * 60_000)
    expect((await exchange(server, program, code, verifier)).status).toBe(400)
    expect(await works(server, tokens.access_token)).toBe(true)
    wait(15 * 60_000)
    expect(await works(server, tokens.access_token)).toBe(false)
    const renewed = await refresh(server, program, tokens.refresh_token)
    expect(await works(server, String(renewed.body.access_token))).toBe(true)
    wait(31 * 24 * 60 * 60_000)
    expect((await refresh(server, program, String(renewed.body.refresh_token))).status).toBe(400)
  })
})

/** The origins of a server on this machine, by each name of the machine. */
const ownNames = (url: string): ReadonlyArray<string> =>
  ["127.0.0.1", "localhost", "[::1]"].map((host) => `http://${host}:${new URL(url).port}`)

describe("a registration", () => {
  const metadata = { client_name: "Program", redirect_uris: [callback] }

  it("accepts https, loopback addresses and schemes of programs as redirect URIs, and no others", async () => {
    const { server } = await start()
    const valid = [
      callback,
      "http://127.0.0.1/callback",
      "http://localhost:8080/callback",
      "http://[::1]/callback",
      "com.example.program:/callback",
      "cursor://anysphere.cursor/callback"
    ]
    for (const uri of valid) {
      expect([uri, (await server.register({ ...metadata, redirect_uris: [uri] })).status]).toEqual([uri, 201])
    }
    const invalid = [
      "http://program.example.com/callback",
      "http://127.0.0.1.evil.example/",
      "javascript:alert(1)",
      "data:text/html,x",
      "file:///etc/passwd",
      "vbscript:x",
      `${callback}#x`,
      "/callback",
      "https://user:secret@program.example.com/",
      "search-ms:query=x",
      "program:/callback",
      "https://*.example.com/callback",
      ...ownNames(server.url).map((origin) => `${origin}/callback`)
    ]
    // An address may register 20 programs per hour.
    wait(60 * 60_000)
    for (const uri of invalid) {
      const { status, body } = await server.register({ ...metadata, redirect_uris: [uri] })
      expect([uri, status, body.error]).toEqual([uri, 400, "invalid_redirect_uri"])
    }
  })

  it("matches redirect URIs exactly, apart from the port of a loopback address", async () => {
    const { server, browser } = await start()
    const program = await registerProgram(server, {
      redirect_uris: ["http://127.0.0.1:1234/callback", "http://[::1]:1234/callback"]
    })
    const statusOf = async (uri: string) =>
      (await browser.request(startAuthorization(program, { redirect_uri: uri }).path)).status
    expect(await statusOf("http://127.0.0.1:5678/callback")).toBe(303)
    for (const uri of [
      ...ownNames(server.url).map((origin) => `${origin}/callback`),
      "http://localhost:1234/callback",
      "http://127.0.0.1:1234/other",
      "https://127.0.0.1:1234/callback",
      "http://127.0.0.1:1234@evil.example/callback"
    ]) {
      expect([uri, await statusOf(uri)]).toEqual([uri, 400])
    }
  })

  it("is bounded in its size, its fields and its number, and requests no URL", async () => {
    const { server } = await start()
    const tooLarge = await server.register({ ...metadata, software_statement: "x".repeat(17_000) })
    expect(tooLarge.status).toBe(413)
    const invalid = [
      { ...metadata, redirect_uris: Array.from({ length: 11 }, (_, index) => `${callback}/${index}`) },
      { ...metadata, redirect_uris: [`${callback}/${"x".repeat(500)}`] },
      { ...metadata, client_name: "x".repeat(101) },
      { ...metadata, client_name: { toString: "x" } },
      { redirect_uris: [] },
      [],
      "text"
    ]
    for (const one of invalid) expect((await server.register(one as never)).status).toBe(400)
    const { status, body } = await server.register({
      ...metadata,
      logo_uri: "http://127.0.0.1:1/logo.png",
      jwks_uri: "http://127.0.0.1:1/jwks",
      sector_identifier_uri: "http://127.0.0.1:1/sector",
      token_endpoint_auth_method: "client_secret_basic",
      client_secret: "chosen"
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ token_endpoint_auth_method: "none", redirect_uris: [callback] })
    for (const name of ["logo_uri", "jwks_uri", "sector_identifier_uri", "client_secret"]) {
      expect(body[name]).toBeUndefined()
    }
    const rest = await Promise.all(Array.from({ length: 20 }, () => server.register(metadata)))
    expect(rest.some(({ status: one }) => one === 429)).toBe(true)
  })

  it("ends after a day unless a person has authorized the program", async () => {
    const { server, program, browser } = await start()
    const used = await registerProgram(server)
    await authorizeIn(server, browser, used)
    wait(25 * 60 * 60_000)
    const again = await server.signIn("ada@example.com")
    expect((await again.request(startAuthorization(program).path)).status).toBe(400)
    expect((await again.request(startAuthorization(used).path)).status).toBe(303)
  })
})

describe("a device code", () => {
  it("is authorized by a person who has read a warning, and works once", async () => {
    const { server, browser } = await start()
    const { device_code: code, user_code: userCode, verification_uri: uri } = await startDevice(server)
    expect(uri).toBe(`${server.url}/~/device`)
    expect((await poll(server, code)).body.error).toBe("authorization_pending")
    const confirm = await browser.request("/~/device", { form: { user_code: userCode.toLowerCase() } })
    expect(confirm.text).toContain(`displays the code ${userCode} now`)
    expect(confirm.text).toContain("command-line program of Lectern")
    const done = await browser.request("/~/device", { form: { user_code: userCode, decision: "allow" } })
    expect(done.text).toContain("The device is connected.")
    const tokens = await poll(server, code)
    expect(await works(server, String(tokens.body.access_token))).toBe(true)
    // A second use of the device code ends the grant, and the code of the person is used up.
    expect((await poll(server, code)).body.error).toBe("invalid_grant")
    expect(await works(server, String(tokens.body.access_token))).toBe(false)
    const repeated = await browser.request("/~/device", { form: { user_code: userCode } })
    expect(repeated.status).toBe(400)
  })

  it("is not authorized by opening its link, and can be denied", async () => {
    const { server, browser } = await start()
    const { device_code: code, user_code: userCode } = await startDevice(server)
    const opened = await browser.request(`/~/device?user_code=${userCode}`, { from: "cross-site" })
    expect([opened.status, opened.text.includes('value="allow"')]).toEqual([200, false])
    const forged = await browser.request("/~/device", {
      form: { user_code: userCode, decision: "allow" },
      from: "cross-site"
    })
    expect(forged.status).toBe(400)
    expect((await poll(server, code)).body.error).toBe("authorization_pending")
    await browser.request("/~/device", { form: { user_code: userCode, decision: "deny" } })
    expect((await poll(server, code)).body.error).toBe("access_denied")
  })

  it("admits 10 attempts of a person in 10 minutes", async () => {
    const { server, browser } = await start()
    const { user_code: userCode } = await startDevice(server)
    const statuses: Array<number> = []
    for (let attempt = 0; attempt < 11; attempt++) {
      statuses.push((await browser.request("/~/device", { form: { user_code: "BBBB-BBBB" } })).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429])
    const limited = await browser.request("/~/device", { form: { user_code: userCode } })
    expect(limited.status).toBe(429)
  })

  it("expires after 10 minutes", async () => {
    const { server } = await start()
    const { device_code: code, user_code: userCode } = await startDevice(server)
    wait(11 * 60_000)
    const browser = await server.signIn("ada@example.com")
    expect((await browser.request("/~/device", { form: { user_code: userCode } })).status).toBe(400)
    expect((await poll(server, code)).body.error).toMatch(/expired_token|invalid_grant/)
  })
})

describe("a revocation by a program", () => {
  it("ends the grant of its own token, and not that of another program", async () => {
    const { server, program, browser } = await start()
    const other = await registerProgram(server)
    const tokens = await authorizeIn(server, browser, program)
    const revoke = (id: string) =>
      server.post("/~/oauth/revoke", { client_id: id, token: tokens.refresh_token })
    await revoke(other)
    expect(await works(server, tokens.access_token)).toBe(true)
    expect((await revoke(program)).status).toBe(200)
    expect(await works(server, tokens.access_token)).toBe(false)
    expect(JSON.parse((await browser.request("/v1/user/programs")).text).items).toEqual([])
    expect(returnedTo).toBeDefined()
  })
})
