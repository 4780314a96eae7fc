/** Rate limits, deadlines, the number of requests in progress, readiness, and draining. */

import { RecordsAdapter, StorageUnavailable } from "@lectern/core"
import { isFastRun } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Layer } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { call, serve } from "./processes.ts"
import { ruleDatabases } from "./stores.ts"
import { signedInBrowser } from "./support/browser.ts"
import { until } from "./support/until.ts"
import { startServer, type TestServer } from "./support.ts"

let server: TestServer | undefined
afterEach(() => server?.close())

type Adapter = RecordsAdapter["Service"]

/** A store in memory with changed methods. */
const storeWith = (change: (adapter: Adapter) => Partial<Adapter>) =>
  Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (adapter) => RecordsAdapter.of({ ...adapter, ...change(adapter) }))
  ).pipe(Layer.provide(MemoryStorage.layer()))

/** Starts a server with an organization and its administrator. */
const start = async (
  storage: Parameters<typeof startServer>[0],
  options: Parameters<typeof startServer>[1]
) => {
  server = await startServer(storage, options)
  const user = await server.core.createUser("ada@example.com")
  const organization = await server.core.createOrganization("Acme", user)
  return { server, user, organization, token: await server.tokenOf(user) }
}

const quotaOf = ({ status, headers }: Response) => [
  status,
  headers.get("x-ratelimit-limit"),
  headers.get("x-ratelimit-remaining")
]

it("sends no rate limit headers by default", async () => {
  const { server, token } = await start(MemoryStorage.layer(), {})
  expect(quotaOf(await server.fetch("/v1/user", { token }))).toEqual([200, null, null])
})

it("limits the requests of a token, and of no other token", async () => {
  const { server, user, token } = await start(MemoryStorage.layer(), {
    limits: { rateLimits: { perToken: 3 } }
  })
  for (const remaining of ["2", "1", "0"]) {
    expect(quotaOf(await server.fetch("/v1/user", { token }))).toEqual([200, "3", remaining])
  }
  const rejected = await server.fetch("/v1/user", { token })
  expect(quotaOf(rejected)).toEqual([429, "3", "0"])
  const retryAfter = Number(rejected.headers.get("retry-after"))
  expect(retryAfter).toBeGreaterThan(0)
  expect(retryAfter).toBeLessThanOrEqual(60)
  expect(Number(rejected.headers.get("x-ratelimit-reset")) * 1000).toBeGreaterThan(
    server.core.clock.currentTimeMillisUnsafe()
  )
  expect(await rejected.json()).toMatchObject({ error: { code: 429, reason: "RateLimitExceeded" } })
  const other = await server.tokenOf(user)
  expect((await server.fetch("/v1/user", { token: other })).status).toBe(200)
  expect((await server.fetch("/healthz")).status).toBe(200)
  server.core.advance(60_000)
  expect((await server.fetch("/v1/user", { token })).status).toBe(200)
})

describe("the failures of an address to authenticate", () => {
  const failuresPerAddress = 2
  const startLimited = (rateLimits: object = {}) =>
    start(MemoryStorage.layer(), { limits: { rateLimits: { failuresPerAddress, ...rateLimits } } })

  it("limit further failures and requests without credentials, and no request with valid credentials", async () => {
    const { server, user, token } = await startLimited()
    for (const status of [401, 401, 429, 429]) {
      expect((await server.fetch("/v1/user", { token: "wrong" })).status).toBe(status)
    }
    expect((await server.fetch("/openapi.json")).status).toBe(429)
    // Also a token that this process sees for the first time.
    expect((await server.fetch("/v1/user", { token })).status).toBe(200)
    expect((await server.fetch("/v1/user", { token: await server.tokenOf(user) })).status).toBe(200)
    server.core.advance(60_000)
    expect((await server.fetch("/v1/user", { token: "wrong" })).status).toBe(401)
  })

  it("do not include requests without credentials", async () => {
    const { server } = await startLimited()
    for (let count = 0; count < 3 * failuresPerAddress; count++)
      expect((await server.fetch("/v1/user")).status).toBe(401)
    expect((await server.fetch("/openapi.json")).status).toBe(200)
  })

  it("are bounded: beyond the limit of the address, only credentials that were accepted before are examined", async () => {
    const { server, user, token } = await startLimited({ perAddress: 5 })
    expect((await server.fetch("/v1/user", { token })).status).toBe(200)
    for (let count = 0; count < 5; count++) await server.fetch("/v1/x", { token: `guess${count}` })
    expect((await server.fetch("/v1/user", { token: await server.tokenOf(user) })).status).toBe(429)
    expect((await server.fetch("/v1/user", { token })).status).toBe(200)
  })
})

describe("the sessions of a user", () => {
  it("have one limit together, which sessions of others at the address do not consume", async () => {
    const { server } = await start(MemoryStorage.layer(), {
      limits: { rateLimits: { perToken: 3, perAddress: 20 } }
    })
    await server.core.createUser("bob@example.com")
    const first = await signedInBrowser(server, "ada@example.com")
    const second = await signedInBrowser(server, "ada@example.com")
    const other = await signedInBrowser(server, "bob@example.com")
    for (let count = 0; count < 30; count++) await server.fetch("/openapi.json")
    expect((await server.fetch("/v1/user")).status).toBe(429)
    const statuses: Array<number> = []
    for (const browser of [first, second, first, second, other, first])
      statuses.push((await browser.request("/v1/user")).status)
    expect(statuses).toEqual([200, 200, 200, 429, 200, 429])
    expect((await other.request("/v1/user")).headers.get("x-ratelimit-limit")).toBe("3")
  })

  it("that have ended count as failures", async () => {
    const { server } = await start(MemoryStorage.layer(), {
      limits: { rateLimits: { failuresPerAddress: 1 } }
    })
    const browser = await signedInBrowser(server, "ada@example.com")
    const cookies = [...browser.cookies]
    expect((await browser.request("/v1/user")).status).toBe(200)
    await browser.request("/v1/user/sessions/current", { method: "DELETE" })
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    const statuses: Array<number> = []
    for (let count = 0; count < 2; count++) statuses.push((await browser.request("/v1/user")).status)
    expect(statuses).toEqual([401, 429])
  })
})

it("limits requests without a token by address", async () => {
  const { server } = await start(MemoryStorage.layer(), { limits: { rateLimits: { perAddress: 2 } } })
  const statuses = []
  for (let i = 0; i < 3; i++) statuses.push((await server.fetch("/openapi.json")).status)
  expect(statuses).toEqual([200, 200, 429])
})

it("limits the requests on an organization by all of its users, and on no other", async () => {
  const { server, user, organization, token } = await start(MemoryStorage.layer(), {
    limits: { rateLimits: { perOrganization: 2 } }
  })
  const other = await server.core.createOrganization("Other", user)
  const post = (id: string) => server.fetch(`/v1/orgs/${id}/spaces`, { method: "POST", token, body: "{}" })
  expect((await post(organization)).status).toBe(201)
  expect((await post(organization)).status).toBe(201)
  const rejected = await post(organization)
  expect(quotaOf(rejected)).toEqual([429, "2", "0"])
  expect((await post(other)).status).toBe(201)
  const second = await server.tokenOf(user)
  expect((await server.fetch(`/v1/orgs/${organization}`, { token: second })).status).toBe(429)
})

it.each(ruleDatabases)(
  "shares the counts of rate limits between processes through $name",
  async ({ make: makeStorage }) => {
    const options = { limits: { rateLimits: { perAddress: 10 }, sharesRateLimits: true } }
    const storage = await makeStorage()
    const servers = [await startServer(storage, options), await startServer(storage, options)]
    try {
      const [first, second] = servers as [TestServer, TestServer]
      const send = async ({ fetch, core }: TestServer) => {
        core.advance(1_000)
        return (await fetch("/openapi.json")).status
      }
      for (let i = 0; i < 10; i++) expect(await send(first)).toBe(200)
      expect(await send(first)).toBe(429)
      // Counts are exchanged after responses. Without an exchange, the second server would accept 10 requests.
      let accepted = 0
      while ((await send(second)) === 200) {
        accepted++
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
      expect(accepted).toBeLessThan(10)
    } finally {
      await Promise.all(servers.map(({ close }) => close()))
    }
  }
)

it("interrupts a request after its deadline, and rolls its transaction back", async () => {
  let isSlow = false
  let inserted = 0
  const { server, organization, token } = await start(
    storeWith((adapter) => ({
      insert: (table, rows) =>
        isSlow && table.name === "spaces"
          ? Effect.andThen(
              adapter.insert(table, rows),
              Effect.andThen(
                Effect.sync(() => inserted++),
                Effect.never
              )
            )
          : adapter.insert(table, rows)
    })),
    { limits: { requestTimeoutMs: 300 } }
  )
  isSlow = true
  const post = () => server.fetch(`/v1/orgs/${organization}/spaces`, { method: "POST", token, body: "{}" })
  const response = await post()
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"])
  expect(await response.json()).toMatchObject({ error: { reason: "DeadlineExceeded" } })
  expect(inserted).toBe(1)
  isSlow = false
  const list = await server.fetch(`/v1/orgs/${organization}/spaces`, { token })
  expect(await list.json()).toMatchObject({ count: 0 })
  expect((await post()).status).toBe(201)
})

it("rejects requests over the maximum number in progress with 503, but not health checks", async () => {
  let isSlow = false
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let waiting = 0
  const { server, token } = await start(
    storeWith((adapter) => ({
      find: (table, options) =>
        isSlow && table.name === "apiTokens"
          ? Effect.andThen(
              Effect.promise(() => {
                waiting++
                return released
              }),
              adapter.find(table, options)
            )
          : adapter.find(table, options)
    })),
    { limits: { maxConcurrentRequests: 4 } }
  )
  isSlow = true
  const accepted = Array.from({ length: 4 }, () => server.fetch("/v1/user", { token }))
  await until("4 requests are in progress", () => waiting === 4)
  const rejected = await server.fetch("/v1/user", { token })
  expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([503, "1"])
  expect(await rejected.json()).toMatchObject({ error: { reason: "Overloaded" } })
  expect((await server.fetch("/healthz")).status).toBe(200)
  expect((await server.fetch("/readyz")).status).toBe(200)
  release()
  expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect((await server.fetch("/v1/user", { token })).status).toBe(200)
})

it("does not count requests whose body is being received as requests in progress", async () => {
  const { server, organization, token } = await start(MemoryStorage.layer(), {
    limits: { maxConcurrentRequests: 1 }
  })
  const bodies = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
  const posts = bodies.map(({ promise }) =>
    fetch(`${server.url}/v1/orgs/${organization}/spaces`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: new ReadableStream({
        start: async (controller) => {
          controller.enqueue(new TextEncoder().encode("{"))
          await promise
          controller.enqueue(new TextEncoder().encode("}"))
          controller.close()
        }
      }),
      duplex: "half"
    } as RequestInit)
  )
  await until("the server receives other requests", async () => {
    const { status } = await server.fetch("/v1/user", { token })
    return status === 200
  })
  const statuses: Array<number> = []
  for (const [index, { resolve }] of bodies.entries()) {
    resolve()
    statuses.push((await posts[index]!).status)
  }
  expect(statuses).toEqual([201, 201, 201])
})

it("reports readiness by a probe that reads and writes, and shares it for a second", async () => {
  let probes = 0
  let failure: StorageUnavailable | undefined
  const { server } = await start(
    storeWith((adapter) => ({
      probe: Effect.suspend(() => {
        probes++
        return failure === undefined ? adapter.probe : Effect.fail(failure)
      })
    })),
    {}
  )
  const check = async () => {
    const response = await server.fetch("/readyz")
    return [response.status, ((await response.json()) as { status: string }).status]
  }
  const checks = await Promise.all(Array.from({ length: 10 }, check))
  expect(new Set(checks.map(String))).toEqual(new Set(["200,ok"]))
  expect(probes).toBe(1)
  failure = new StorageUnavailable({ reason: "ReadOnly", detail: "full" })
  expect(await check()).toEqual([200, "ok"])
  server.core.advance(1_000)
  expect(await check()).toEqual([503, "the database accepts no writes"])
  failure = undefined
  server.core.advance(1_000)
  expect(await check()).toEqual([200, "ok"])
})

it.skipIf(isFastRun)(
  "responds to readiness checks with 503 after SIGTERM, and serves requests until the drain delay has passed",
  async () => {
    const process = await serve("sqlite::memory:", ["--drain-delay", "3"])
    expect((await fetch(`${process.url}/readyz`)).status).toBe(200)
    const exit = process.end("SIGTERM")
    await until("the server is not ready", async () => (await fetch(`${process.url}/readyz`)).status === 503)
    expect((await fetch(`${process.url}/healthz`)).status).toBe(200)
    await call(process, "/v1/user")
    expect(await exit).toBe(0)
  }
)
