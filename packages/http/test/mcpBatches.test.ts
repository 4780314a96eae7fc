/** Batches of MCP servers: their maximum size, the versions that have them, and the limits of requests. */
import { readFileSync } from "node:fs"
import type { Site, Space } from "@lectern/core"
import { maximumJsonDepth, maximumJsonKeys, maximumJsonValues, undeclaredJson } from "@lectern/model/schema"
import { describe, expect, it } from "vitest"
import { maximumBatch } from "../src/server/routes/mcpMessages.ts"
import { messageJson } from "../src/server/routes/mcpTools.ts"
import { memory } from "./stores.ts"
import { callerOf } from "./support/sites.ts"
import { startServerOn } from "./support.ts"

const startServers = async (rateLimits?: object) => {
  const server = await startServerOn(memory, rateLimits === undefined ? {} : { limits: { rateLimits } })
  const admin = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", admin)
  const token = await server.tokenOf(admin)
  const call = callerOf(server, token)
  const space = (await call<Space>("", "POST", `/orgs/${organization}/spaces`, { title: "Guide" })).value
  await call("", "POST", `/spaces/${space.id}/content`, {
    changes: [{ operation: "insert_page", title: "Start", document: { markdown: "Welcome." } }]
  })
  const created = await call<Site>("", "POST", `/orgs/${organization}/sites`, { spaces: [space.id] })
  const at = `/orgs/${organization}/sites/${created.value.id}`
  const { value: site } = await call<Site>("", "POST", `${at}/publish`)
  const post = async (path: string, body: unknown, headers: Record<string, string>) => {
    const response = await fetch(server.url + path, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers
      },
      body: JSON.stringify(body)
    })
    const text = await response.text()
    return {
      status: response.status,
      remaining: Number(response.headers.get("x-ratelimit-remaining")),
      body: text === "" ? undefined : JSON.parse(text)
    }
  }
  const sitePath = `${new URL(site.urls.published!).pathname}~gitbook/mcp`
  return {
    call,
    organization,
    servers: {
      "/v1/mcp": (body: unknown, headers: Record<string, string> = {}) =>
        post("/v1/mcp", body, { authorization: `Bearer ${token}`, ...headers }),
      "~gitbook/mcp": (body: unknown, headers: Record<string, string> = {}) => post(sitePath, body, headers)
    }
  }
}

const serverPaths = ["/v1/mcp", "~gitbook/mcp"] as const

const pings = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" }))
const searches = (count: number) =>
  Array.from({ length: count }, (_, id) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "search", arguments: { query: "welcome" } }
  }))

describe("a batch of MCP", () => {
  it("has at most 10 messages, and is otherwise rejected before any is executed", async () => {
    const { servers, call, organization } = await startServers()
    for (const name of serverPaths) {
      const send = servers[name]
      for (const count of [0, 11, 5_000]) {
        const { status, body } = await send(pings(count))
        expect([name, count, status, body]).toMatchObject([
          name,
          count,
          400,
          { jsonrpc: "2.0", id: null, error: { code: -32600 } }
        ])
      }
      const { status, body } = await send(searches(10))
      expect([name, status, body.length]).toEqual([name, 200, 10])
      expect(body.map(({ id }: { id: number }) => id)).toEqual(pings(10).map(({ id }) => id))
      expect(JSON.stringify(body[9])).toContain("Welcome")
    }
    const { value: spaces } = await call<{ items: ReadonlyArray<{ id: string }> }>(
      "",
      "GET",
      `/orgs/${organization}/spaces`
    )
    const propose = {
      method: "tools/call",
      params: {
        name: "propose_change_request",
        arguments: {
          space: spaces.items[0]!.id,
          subject: "Many",
          changes: [{ title: "New", markdown: "New" }]
        }
      }
    }
    const many = Array.from({ length: 11 }, (_, id) => ({ jsonrpc: "2.0", id, ...propose }))
    expect((await servers["/v1/mcp"](many)).status).toBe(400)
    const requests = await call<{ items: ReadonlyArray<unknown> }>(
      "",
      "GET",
      `/spaces/${spaces.items[0]!.id}/change-requests`
    )
    expect(requests.value.items).toEqual([])
  })

  it("exists in version 2025-03-26 only", async () => {
    const { servers } = await startServers()
    for (const name of serverPaths) {
      for (const version of ["2025-06-18", "2025-11-25", "2026-07-28", "1"]) {
        const { status, body } = await servers[name](pings(2), { "mcp-protocol-version": version })
        expect([name, version, status, body]).toMatchObject([
          name,
          version,
          400,
          { error: { code: -32600, message: expect.stringContaining(version) } }
        ])
      }
      const { status } = await servers[name](pings(2), { "mcp-protocol-version": "2025-03-26" })
      expect(status).toBe(200)
    }
  })

  it("counts each message for the limits of requests", async () => {
    const { servers } = await startServers({ perAddress: 25, perToken: 25 })
    for (const name of serverPaths) {
      const send = servers[name]
      const first = await send(pings(1)[0])
      const batch = await send(searches(7))
      expect([name, first.remaining - batch.remaining]).toEqual([name, 7])
      const after = await send(searches(3))
      expect([name, batch.remaining - after.remaining]).toEqual([name, 3])
      await send(searches(10))
      const rejected = await send(searches(10))
      expect([name, rejected.status]).toEqual([name, 429])
    }
  })

  it("counts each message for the organization on whose resources its user acts", async () => {
    const { servers } = await startServers({ perOrganization: 20 })
    const send = servers["/v1/mcp"]
    expect((await send(searches(10))).status).toBe(200)
    expect((await send(searches(10))).status).toBe(429)
    expect((await send(searches(1)[0])).status).toBe(200)
  })
})

it("is documented with the bounds of the code", () => {
  const text = readFileSync(new URL("../../../docs/limits.md", import.meta.url), "utf8")
  const valueOf = (what: string) =>
    text
      .split("\n")
      .find((line) => line.startsWith(`| ${what} |`))!
      .split(" | ")[1]!
  const format = (value: number) => value.toLocaleString("en")
  expect([
    valueOf("Messages of a batch to an MCP server"),
    valueOf("Values and keys of a message to an MCP server"),
    valueOf("Values of JSON in a body"),
    valueOf("Keys of an object of JSON in a body"),
    valueOf("Nesting of JSON, in bodies and in the claims of visitors")
  ]).toEqual([
    expect.stringContaining(`${maximumBatch}, `),
    expect.stringContaining(`${format(messageJson.values)} values and ${format(messageJson.keys)} keys`),
    expect.stringContaining(`${format(undeclaredJson.values)} more, at most ${format(maximumJsonValues)}`),
    expect.stringContaining(`${format(undeclaredJson.keys)} more, at most ${format(maximumJsonKeys)}`),
    `${maximumJsonDepth} levels`
  ])
})

describe("a message of MCP", () => {
  it("has the values and keys that the tools of the server can accept, and is otherwise rejected before it is parsed", async () => {
    const { servers } = await startServers()
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]))
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call" }
    const search = { name: "search", arguments: { query: "welcome" } }
    const messagesWith = (extra: object): ReadonlyArray<object> => [
      { ...call, params: { ...search, arguments: { ...search.arguments, ...extra } } },
      { ...call, params: { ...search, _meta: extra } },
      { ...call, params: search, ...extra },
      { jsonrpc: "2.0", id: 1, method: "ping", params: extra },
      { jsonrpc: "2.0", id: 1, method: "tools/list", params: extra },
      { jsonrpc: "2.0", id: 1, method: "initialize", params: { capabilities: { experimental: extra } } },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: extra }
    ]
    const rejected = { jsonrpc: "2.0", id: null, error: { code: -32600 } }
    for (const name of serverPaths) {
      const large = [...messagesWith(keys(400)), ...messagesWith({ list: Array(3_000).fill(1) })]
      for (const message of [...large, large]) {
        expect(await servers[name](message)).toMatchObject({ status: 400, body: rejected })
      }
      const { status, body } = await servers[name](messagesWith(keys(100))[1])
      expect([name, status, JSON.stringify(body)]).toEqual([name, 200, expect.stringContaining("Welcome")])
    }
  })

  it("is an object with a method or a result, and otherwise an error of JSON-RPC", async () => {
    const { servers } = await startServers()
    const error = { jsonrpc: "2.0", id: null, error: { code: -32600 } }
    for (const name of serverPaths) {
      for (const message of [undefined, null, "x", 1, {}]) {
        expect([message, await servers[name](message)]).toMatchObject([message, { status: 400, body: error }])
      }
      const [ping] = pings(1)
      const { status, body } = await servers[name]([null, ping, "x", [[ping]], {}])
      expect([status, body]).toMatchObject([200, [error, { id: 0, result: {} }, error, error, error]])
    }
  })
})
