/** The start, the authentication and the end of sessions, and attacks on them. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createWorkspace, type Session, SignIns, tables } from "@lectern/core"
import { allRecords } from "@lectern/harness"
import { toNodeListener } from "@lectern/http"
import { Clock, Effect } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { memory, ruleStores } from "./stores.ts"
import {
  openBrowser,
  type RequestSource,
  signedInBrowser,
  signInPathOf,
  type TestBrowser
} from "./support/browser.ts"
import { requestWithHost } from "./support/requestWithHost.ts"
import { startServerOn, type TestServer } from "./support.ts"

const email = "ada@example.com"
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const start = async (store = memory) => {
  const server = await startServerOn(store)
  const ada = await server.core.createUser(email)
  const acme = await server.core.createOrganization("Acme", ada)
  return { server, ada, acme }
}

const statusOf = async (browser: TestBrowser): Promise<number> => (await browser.request("/v1/user")).status

const listSessions = async (browser: TestBrowser): Promise<ReadonlyArray<Session>> =>
  JSON.parse((await browser.request("/v1/user/sessions")).text).items

const reasonOf = ({ text }: { readonly text: string }): string => JSON.parse(text).error.reason

describe.each(ruleStores)("sessions on $name", (store) => {
  it("start with a link, are listed, and end with a sign-out", async () => {
    const { server, ada } = await start(store)
    const browser = openBrowser(server)
    expect(await statusOf(browser)).toBe(401)
    const path = await signInPathOf(server, email)
    const page = await browser.request(path, { from: "cross-site" })
    expect([page.status, page.text.includes(`Sign in as ${email}`), browser.cookies.size]).toEqual([
      200,
      true,
      0
    ])
    const signedIn = await browser.request(path, {
      method: "POST",
      headers: { "user-agent": "X11; Linux Firefox/140.0" }
    })
    expect([signedIn.status, signedIn.location]).toEqual([303, "/"])
    expect(signedIn.headers.get("set-cookie")).toMatch(
      /^lectern_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/
    )
    expect(await statusOf(browser)).toBe(200)
    expect(await listSessions(browser)).toMatchObject([
      { user: ada, current: true, method: "link", device: "Firefox on Linux", address: "127.0.0.1" }
    ])
    const secret = browser.cookies.get("lectern_session")!
    const signedOut = await browser.request("/v1/user/sessions/current", { method: "DELETE" })
    expect([signedOut.status, signedOut.headers.get("clear-site-data"), browser.cookies.size]).toEqual([
      204,
      '"cache"',
      0
    ])
    browser.cookies.set("lectern_session", secret)
    expect(await statusOf(browser)).toBe(401)
  })

  it("are revoked one by one and all together", async () => {
    const { server } = await start(store)
    const [one, other, third] = [
      await signedInBrowser(server, email),
      await signedInBrowser(server, email),
      await signedInBrowser(server, email)
    ]
    const listed = await listSessions(one)
    expect(listed.map(({ current }) => current)).toEqual([false, false, true])
    expect((await one.request(`/v1/user/sessions/${listed[0]!.id}`, { method: "DELETE" })).status).toBe(204)
    expect([await statusOf(one), await statusOf(other), await statusOf(third)]).toEqual([200, 200, 401])
    expect((await one.request("/v1/user/sessions", { method: "DELETE" })).status).toBe(204)
    expect([await statusOf(one), await statusOf(other)]).toEqual([401, 401])
  })

  it("of other users are not found", async () => {
    const { server } = await start(store)
    await server.core.createUser("bob@example.com")
    const [ada, bob] = [
      await signedInBrowser(server, email),
      await signedInBrowser(server, "bob@example.com")
    ]
    const [session] = await listSessions(ada)
    const revoked = await bob.request(`/v1/user/sessions/${session!.id}`, { method: "DELETE" })
    expect([revoked.status, reasonOf(revoked)]).toEqual([404, "SessionNotFound"])
    expect(await listSessions(bob)).toHaveLength(1)
    expect(await statusOf(ada)).toBe(200)
  })

  it("end after 7 days without a request, and after 30 days in use", async () => {
    const { server } = await start(store)
    const [idle, used] = [await signedInBrowser(server, email), await signedInBrowser(server, email)]
    for (let days = 0; days < 30; days += 6) {
      expect(await statusOf(used)).toBe(200)
      await server.core.advance(6 * dayMs - minuteMs)
    }
    expect(await statusOf(idle)).toBe(401)
    expect(await statusOf(used)).toBe(200)
    await server.core.advance(10 * minuteMs)
    expect(await statusOf(used)).toBe(401)
  })

  it("are purged after they have ended", async () => {
    const { server } = await start(store)
    await signedInBrowser(server, email)
    await signInPathOf(server, email)
    const count = async () => [
      (await rowsOf(server, "sessions")).length,
      (await rowsOf(server, "signInLinks")).length
    ]
    expect(await count()).toEqual([1, 1])
    await server.core.advance(8 * dayMs)
    const purge = Effect.flatMap(SignIns, (signIns) => signIns.purge)
    await server.core.runtime.runPromise(Effect.provideService(purge, Clock.Clock, server.core.clock))
    expect(await count()).toEqual([0, 0])
  })

  it("have a new secret after the rights of the user have changed", async () => {
    const { server, acme } = await start(store)
    const bob = await server.core.createUser("bob@example.com")
    await server.core.setMember(acme, bob, "read")
    const browser = await signedInBrowser(server, "bob@example.com")
    const before = browser.cookies.get("lectern_session")!
    expect(await statusOf(browser)).toBe(200)
    expect(browser.cookies.get("lectern_session")).toBe(before)
    await server.core.setMember(acme, bob, "admin")
    expect(await statusOf(browser)).toBe(200)
    const after = browser.cookies.get("lectern_session")!
    expect(after).not.toBe(before)
    // Requests that the browser has sent before the rotation.
    const former = openBrowser(server)
    former.cookies.set("lectern_session", before)
    expect(await statusOf(former)).toBe(200)
    await server.core.advance(minuteMs + 1)
    expect([await statusOf(former), await statusOf(browser)]).toEqual([401, 200])
  })

  it("store no secret", async () => {
    const { server } = await start(store)
    const path = await signInPathOf(server, email)
    const browser = await signedInBrowser(server, email)
    const stored = JSON.stringify([await rowsOf(server, "sessions"), await rowsOf(server, "signInLinks")])
    expect(stored).not.toContain(path.split("/").at(-1))
    expect(stored).not.toContain(browser.cookies.get("lectern_session"))
  })
})

/** Returns the stored rows of a table. */
const rowsOf = ({ core }: TestServer, name: string) =>
  core.runtime.runPromise(
    Effect.flatMap(allRecords, (records) => records.find(tables.find((table) => table.name === name)!, {}))
  )

describe("links", () => {
  it("sign in once, also if they are opened twice at the same time", async () => {
    const { server } = await start()
    const path = await signInPathOf(server, email)
    const results = await Promise.all(
      [1, 2, 3].map(() => openBrowser(server).request(path, { method: "POST" }))
    )
    expect(results.map(({ status }) => status).sort()).toEqual([303, 410, 410])
  })

  it("expire after 15 minutes", async () => {
    const { server } = await start()
    const path = await signInPathOf(server, email)
    await server.core.advance(15 * minuteMs)
    const browser = openBrowser(server)
    expect((await browser.request(path)).status).toBe(410)
    expect((await browser.request(path, { method: "POST" })).status).toBe(410)
  })

  it("are not used by programs that open them", async () => {
    const { server } = await start()
    const path = await signInPathOf(server, email)
    for (const method of ["GET", "HEAD", "GET"]) {
      expect((await openBrowser(server).request(path, { method, from: "none" })).status).toBe(200)
    }
    expect((await openBrowser(server).request(path, { method: "POST" })).status).toBe(303)
  })

  it("return only to paths of the server", async () => {
    const { server, acme } = await start()
    const targets: ReadonlyArray<readonly [given: string, expected: string]> = [
      [`o/${acme}`, `/o/${acme}`],
      ["https://example.com/", "/"],
      ["//example.com/", "/"],
      ["/\\example.com", "/"],
      ["../../example", "/"],
      ["%2e%2e/%2e%2e/x", "/"],
      ["javascript:alert(1)", "/"],
      ["o/x\r\nset-cookie: a=b", "/"]
    ]
    for (const [given, expected] of targets) {
      const path = await signInPathOf(server, email)
      const url = `${path}?${new URLSearchParams({ return: given })}`
      const { location } = await openBrowser(server).request(url, { method: "POST" })
      expect([given, location]).toEqual([given, expected])
    }
  })
})

/** Sends a request that creates an organization's space, and returns the status and the reason of the error. */
const write = async (
  browser: TestBrowser,
  acme: string,
  from: RequestSource | undefined,
  headers: Record<string, string> = {}
) => {
  const response = await browser.request(`/v1/orgs/${acme}/spaces`, {
    method: "POST",
    body: "{}",
    headers: {
      "content-type": "application/json",
      ...(from === undefined ? { "sec-fetch-site": "" } : {}),
      ...headers
    },
    ...(from === undefined ? {} : { from })
  })
  return response.status === 201 ? 201 : reasonOf(response)
}

describe("an attacker", () => {
  it.each(["cross-site", "same-site", "none"] as const)(
    "cannot forge a request that is %s (CSRF)",
    async (from) => {
      const { server, acme } = await start()
      const browser = await signedInBrowser(server, email)
      expect(await write(browser, acme, "same-origin")).toBe(201)
      expect(await write(browser, acme, from)).toBe("CrossOriginRequest")
    }
  )

  it.each(["cross-site", "same-site"] as const)("cannot read with a request that is %s", async (from) => {
    const { server } = await start()
    const browser = await signedInBrowser(server, email)
    const response = await browser.request("/v1/user", { from })
    expect([response.status, reasonOf(response)]).toEqual([403, "CrossOriginRequest"])
    expect((await browser.request("/v1/user", { from: "none" })).status).toBe(200)
  })

  it("cannot forge a request from a browser that sends only `Origin`, or neither header", async () => {
    const { server, acme } = await start()
    const browser = await signedInBrowser(server, email)
    const secret = browser.cookies.get("lectern_session")!
    const send = (headers: Record<string, string>) =>
      server.fetch(`/v1/orgs/${acme}/spaces`, {
        method: "POST",
        body: "{}",
        headers: { cookie: `lectern_session=${secret}`, ...headers }
      })
    const { host } = new URL(server.url)
    const origins = [
      [server.url, 201],
      [`http://${host.replace("127.0.0.1", "localhost")}`, 403],
      [`http://evil.${host}`, 403],
      [`http://${host}.evil.example`, 403],
      ["null", 403],
      ["", 403]
    ] as const
    for (const [origin, status] of origins) {
      expect([origin, (await send({ origin })).status]).toEqual([origin, status])
    }
    expect((await send({})).status).toBe(403)
  })

  it("cannot sign a visitor in to another account (login CSRF)", async () => {
    const { server } = await start()
    await server.core.createUser("mallory@example.com")
    const browser = await signedInBrowser(server, email)
    const before = browser.cookies.get("lectern_session")
    const path = await signInPathOf(server, "mallory@example.com")
    for (const from of ["cross-site", "same-site", "none"] as const) {
      const forged = await browser.request(path, { method: "POST", from })
      expect([forged.status, forged.headers.get("set-cookie")]).toEqual([403, null])
    }
    const page = await browser.request(path, { from: "cross-site" })
    expect(page.text).toContain("Sign in as mallory@example.com")
    expect(page.text).toContain("You are signed in already.")
    expect(browser.cookies.get("lectern_session")).toBe(before)
  })

  it("cannot sign a user out", async () => {
    const { server } = await start()
    const browser = await signedInBrowser(server, email)
    for (const from of ["cross-site", "same-site"] as const) {
      await browser.request("/~/logout", { method: "POST", from })
      await browser.request("/~/logout", { from })
    }
    expect(await statusOf(browser)).toBe(200)
    const done = await browser.request("/~/logout", { method: "POST" })
    expect([done.location, browser.cookies.size]).toEqual(["/~/login", 0])
  })

  it("cannot fix the session of a user who signs in later", async () => {
    const { server } = await start()
    const planted = "A".repeat(43)
    const browser = openBrowser(server)
    browser.cookies.set("lectern_session", planted)
    await browser.request(await signInPathOf(server, email), { method: "POST" })
    expect(browser.cookies.get("lectern_session")).not.toBe(planted)
    const attacker = openBrowser(server)
    attacker.cookies.set("lectern_session", planted)
    expect(await statusOf(attacker)).toBe(401)
  })

  it("cannot use a session that the browser had before it signed in again", async () => {
    const { server } = await start()
    const browser = await signedInBrowser(server, email)
    const stolen = browser.cookies.get("lectern_session")!
    await browser.request(await signInPathOf(server, email), { method: "POST" })
    const attacker = openBrowser(server)
    attacker.cookies.set("lectern_session", stolen)
    expect([await statusOf(attacker), await statusOf(browser)]).toEqual([401, 200])
  })

  it("cannot plant a second cookie from a sibling of the host", async () => {
    const { server } = await start()
    const browser = await signedInBrowser(server, email)
    const secret = browser.cookies.get("lectern_session")!
    const headers = { cookie: `lectern_session=${"B".repeat(43)}; lectern_session=${secret}` }
    expect((await server.fetch("/v1/user", { headers })).status).toBe(401)
  })

  it("cannot add credentials to a session with a malformed header", async () => {
    const { server } = await start()
    const browser = await signedInBrowser(server, email)
    for (const authorization of ["Basic YTpi", "Bearer ", "Bearer invalid"]) {
      const response = await browser.request("/v1/user", { from: "cross-site", headers: { authorization } })
      expect([authorization, response.status]).toEqual([authorization, 401])
    }
  })
})

/** Starts a server with another public URL on the memory store. */
const startAt = async (publicUrl: string) => {
  const workspace = createWorkspace({ storage: await memory.make(), publicUrl })
  const server = createServer(toNodeListener(workspace))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(async () => {
    server.close()
    await workspace.dispose()
  })
  await workspace.administration.createUser({ input: { email } })
  const clock = await Effect.runPromise(Effect.service(Clock.Clock))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, core: { runtime: workspace.runtime, clock } }
}

describe("the cookie", () => {
  it("is `__Host-lectern` on https, and no other is accepted", async () => {
    const server = await startAt("https://docs.example.com")
    const browser = await signedInBrowser(server, email)
    expect([...browser.cookies.keys()]).toEqual(["__Host-lectern"])
    expect(await statusOf(browser)).toBe(200)
    const secret = browser.cookies.get("__Host-lectern")!
    browser.cookies.clear()
    browser.cookies.set("lectern_session", secret)
    expect(await statusOf(browser)).toBe(401)
  })

  it("has a name of its own at each path of a host", async () => {
    const names = []
    for (const path of ["", "/docs", "/docs/api", "/docs-api"]) {
      const browser = await signedInBrowser(await startAt(`https://example.com${path}`), email)
      names.push(...browser.cookies.keys())
    }
    expect(names).toEqual([
      "__Host-lectern",
      "__Host-lectern%2Fdocs",
      "__Host-lectern%2Fdocs%2Fapi",
      "__Host-lectern%2Fdocs-api"
    ])
  })

  it("is not set or accepted over plain http on another address than that of this machine", async () => {
    const server = await startAt("http://docs.example.com")
    const browser = await signedInBrowser(server, email)
    expect(await statusOf(browser)).toBe(200)
    const cookie = `lectern_session=${browser.cookies.get("lectern_session")}`
    expect(await requestWithHost(server.url, "docs.example.com", "/v1/user", { cookie })).toBe(401)
    expect(await requestWithHost(server.url, "docs.example.com", "/~/login", {})).toBe(403)
    expect(await requestWithHost(server.url, "localhost.evil.example", "/v1/user", { cookie })).toBe(401)
    expect(await requestWithHost(server.url, "localhost:1234", "/v1/user", { cookie })).toBe(200)
  })
})
