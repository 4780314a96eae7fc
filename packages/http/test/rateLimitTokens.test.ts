/** Which tokens have limits of their own, and which responses count as failures to authenticate, on every route. */
import { createWorkspace } from "@lectern/core"
import { operations } from "@lectern/harness/operations"
import { toWebHandler } from "@lectern/http"
import { makeReader } from "@lectern/reader"
import { MemoryStorage } from "@lectern/testkit"
import { Redacted } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { memory } from "./stores.ts"
import { startServerOn } from "./support.ts"

const minute = 60_000

/** Requests to every route, with ids that do not exist. */
const requests = [
  ...operations.map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, "unknown") })),
  ...["x", "orgs/unknown/events/stream", "orgs/unknown/audit-log/export", "orgs/unknown/unknown"].map(
    (path) => ({
      method: "GET",
      path: `/v1/${path}`
    })
  ),
  ...["", "openapi.json", "docs", "sites/unknown/", "s/unknown", "sso/unknown", "unknown", "favicon.ico"].map(
    (path) => ({ method: "GET", path: `/${path}` })
  ),
  { method: "PUT", path: "/uploads/unknown?expires=9999999999&signature=unknown" },
  { method: "POST", path: "/git/webhooks/unknown" },
  { method: "POST", path: "/s/unknown/~gitbook/mcp" },
  { method: "POST", path: "/~/login" }
]

const start = async (rateLimits: object) => {
  const server = await startServerOn(memory, {
    reader: makeReader,
    metrics: { token: Redacted.make("secret") },
    limits: { rateLimits: { perAddress: 1_000_000, failuresPerAddress: 1_000_000, ...rateLimits } }
  })
  const user = await server.core.createUser("ada@example.com")
  const send = async ({ method, path }: { method: string; path: string }, token?: string, form?: string) => {
    const response = await server.fetch(path, {
      method,
      redirect: "manual",
      ...(token === undefined ? {} : { token }),
      ...(method === "GET" || method === "DELETE" ? {} : { body: form ?? "{}" }),
      ...(form === undefined
        ? {}
        : {
            headers: {
              "content-type": "application/x-www-form-urlencoded",
              "sec-fetch-site": "same-origin"
            }
          })
    })
    await response.body?.cancel()
    return response
  }
  return { server, user, send }
}

const account = { method: "GET", path: "/v1/user" }

describe("an invented token", () => {
  it("has no limit of its own on any route", async () => {
    const perToken = 7
    const { send } = await start({ perToken })
    const own: Array<string> = []
    for (const [index, request] of requests.entries()) {
      const token = `invented${index}`
      await send(request, token)
      for (const next of [request, account]) {
        const limit = (await send(next, token)).headers.get("x-ratelimit-limit")
        if (limit === String(perToken)) own.push(`${request.method} ${request.path}`)
      }
    }
    expect(own).toEqual([])
  })

  it("counts as a failure with each 401, and with no other status, on every route", async () => {
    const { server, send } = await start({ failuresPerAddress: 1 })
    const counted: Record<string, boolean> = {}
    const expected: Record<string, boolean> = {}
    for (const request of requests) {
      server.core.advance(minute)
      const { status } = await send(request, "invented")
      const name = `${request.method} ${request.path}`
      expected[name] = status === 401
      counted[name] = (await send({ method: "GET", path: "/v1/x" })).status === 429
    }
    expect(counted).toEqual(expected)
    expect(Object.values(expected).filter(Boolean).length).toBeGreaterThan(100)
  })
})

describe("an accepted token", () => {
  it("has a limit of its own, on the API only", async () => {
    const perToken = 1_000
    const { server, user, send } = await start({ perToken })
    const token = await server.tokenOf(user)
    expect((await send(account, token)).status).toBe(200)
    for (const request of requests) {
      const limit = (await send(request, token)).headers.get("x-ratelimit-limit")
      expect([request.path, limit === String(perToken)]).toEqual([
        request.path,
        request.path.startsWith("/v1/")
      ])
    }
  })

  it("counts as a failure with the 401 after it was revoked", async () => {
    const { server, user, send } = await start({ failuresPerAddress: 1 })
    const token = await server.tokenOf(user)
    expect((await send(account, token)).status).toBe(200)
    const { id } = (await (
      await server.fetch("/v1/user/tokens", {
        method: "POST",
        token,
        body: JSON.stringify({ label: "Other" })
      })
    ).json()) as { id: string }
    expect(id).toBeTypeOf("string")
    const [own] = (
      (await (await server.fetch("/v1/user/tokens", { token })).json()) as {
        items: ReadonlyArray<{ id: string; label: string }>
      }
    ).items.filter(({ label }) => label === "Test")
    await send({ method: "DELETE", path: `/v1/user/tokens/${own!.id}` }, token)
    expect((await send(account, token)).status).toBe(401)
    expect((await send({ method: "GET", path: "/v1/x" })).status).toBe(429)
  })
})

it("limits a user whom the host accepts by a cookie, with any token in the requests", async () => {
  const workspace = createWorkspace({
    storage: MemoryStorage.layer(),
    authenticate: async ({ header }) => (header("cookie") === "session=ada" ? { user: "ada" } : undefined)
  })
  onTestFinished(() => workspace.dispose())
  const handle = toWebHandler(workspace, { limits: { rateLimits: { perToken: 2, perAddress: 1_000 } } })
  const send = (token: string) =>
    handle(
      new Request("http://host/v1/orgs", {
        headers: { cookie: "session=ada", authorization: `Bearer ${token}` }
      })
    )
  for (const token of ["one", "two", "three"]) await send(token)
  const statuses: Array<number> = []
  for (const token of ["one", "two", "three", "one"]) statuses.push((await send(token)).status)
  expect(statuses.slice(2)).toEqual([429, 429])
})
