/** The MCP servers of published sites, through a client of the protocol. */
import type { ShareLink, Site, Space } from "@lectern/core"
import { SignJWT } from "jose"
import { describe, expect, it } from "vitest"
import { memory } from "./stores.ts"
import { callerOf } from "./support/sites.ts"
import { startServerOn } from "./support.ts"

/** Starts a site with a page that has a conditional block. */
const startSite = async () => {
  const server = await startServerOn(memory)
  const admin = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", admin)
  const call = callerOf(server, await server.tokenOf(admin))
  const space = (await call<Space>("", "POST", `/orgs/${organization}/spaces`, { title: "Guide" })).value
  const markdown =
    "Run the installer.\n\n{% if visitor.claims.insider %}\n\nUse the internal mirror.\n\n{% endif %}"
  await call("", "POST", `/spaces/${space.id}/content`, {
    changes: [
      { operation: "insert_page", title: "Start", document: { markdown: "Welcome." } },
      { operation: "insert_page", title: "Install", document: { markdown } }
    ]
  })
  const created = await call<Site>("", "POST", `/orgs/${organization}/sites`, {
    title: "Docs",
    spaces: [space.id]
  })
  const at = `/orgs/${organization}/sites/${created.value.id}`
  const { value: site } = await call<Site>("", "POST", `${at}/publish`)
  const pathOf = (url: string) => `${new URL(url).pathname}~gitbook/mcp`
  return { server, call, at, space: space.id, path: pathOf(site.urls.published!), pathOf }
}

type Started = Awaited<ReturnType<typeof startSite>>

/** Sends a JSON-RPC message; returns the status and the result of its response. */
const send = async (
  { server }: Started,
  path: string,
  message: object,
  headers: Record<string, string> = {}
): Promise<{ status: number; session: string | null; result: Record<string, unknown> | undefined }> => {
  const response = await fetch(server.url + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...message })
  })
  const text = await response.text()
  const line =
    text
      .split("\n")
      .find((one) => one.startsWith("data:"))
      ?.slice(5) ?? text
  const parsed = line.trim() === "" ? {} : JSON.parse(line)
  return {
    status: response.status,
    session: response.headers.get("mcp-session-id"),
    result: parsed.result ?? parsed.error
  }
}

/** Initializes a session, and returns the function that calls a tool in it. */
const connect = async (started: Started, path: string, headers: Record<string, string> = {}) => {
  const opened = await send(
    started,
    path,
    {
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "test", version: "1" }
      }
    },
    headers
  )
  expect([opened.status, opened.result]).toMatchObject([200, { serverInfo: { name: "lectern-site" } }])
  const session = {
    ...headers,
    "mcp-session-id": opened.session!,
    "mcp-protocol-version": "2025-06-18"
  }
  await send(started, path, { method: "notifications/initialized" }, session)
  return {
    list: async () => (await send(started, path, { id: 2, method: "tools/list" }, session)).result,
    call: async (name: string, parameters: object) =>
      JSON.stringify(
        (
          await send(
            started,
            path,
            { id: 3, method: "tools/call", params: { name, arguments: parameters } },
            session
          )
        ).result
      )
  }
}

describe("the MCP server of a published site", () => {
  it("searches the site and reads its pages", async () => {
    const started = await startSite()
    const tools = await connect(started, started.path)
    expect(JSON.stringify(await tools.list())).toMatch(/"search".*"read_page"/)
    const found = await tools.call("search", { query: "installer" })
    expect(found).toContain("/install")
    expect(await tools.call("read_page", { path: "/install" })).toContain("Run the installer.")
    expect(await tools.call("read_page", { path: "" })).toContain("Welcome.")
    expect(await tools.call("read_page", { path: "/nowhere" })).toContain("There is no such page.")
  })

  it("returns no page that is hidden and not indexed", async () => {
    const started = await startSite()
    const { call, space, path } = started
    const { value } = await call<{ pages: ReadonlyArray<{ id: string }> }>(
      "",
      "GET",
      `/spaces/${space}/content/pages`
    )
    await call("", "POST", `/spaces/${space}/content`, {
      changes: [
        ...value.pages.map(({ id }) => ({ operation: "delete_page", page: id })),
        {
          operation: "insert_page",
          title: "Draft",
          hidden: true,
          noIndex: true,
          document: { markdown: "Unfinished zebra." }
        },
        { operation: "insert_page", type: "group", title: "Use" }
      ]
    })
    const { value: after } = await call<{ pages: ReadonlyArray<{ id: string }> }>(
      "",
      "GET",
      `/spaces/${space}/content/pages`
    )
    const first = { operation: "insert_page", title: "First", document: { markdown: "The first page." } }
    await call("", "POST", `/spaces/${space}/content`, {
      changes: [{ ...first, into: after.pages[1]!.id }]
    })
    const tools = await connect(started, path)
    expect(await tools.call("search", { query: "zebra" })).not.toMatch(/Draft|draft/)
    expect(await tools.call("read_page", { path: "" })).toContain("The first page.")
    expect(await tools.call("read_page", { path: "/use/first" })).toContain("The first page.")
    expect(await tools.call("read_page", { path: "/draft" })).toContain("There is no such page.")
  })

  it("returns the content that the claims of the visitor permit", async () => {
    const started = await startSite()
    const { call, at, path } = started
    await call("", "PATCH", at, { visibility: "visitor-auth" })
    const { value } = await call<{ privateKey: string }>("", "GET", `${at}/publishing/auth`)
    const token = (claims: Record<string, unknown>) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256" })
        .setExpirationTime("1h")
        .sign(new TextEncoder().encode(value.privateKey))
    expect((await send(started, path, { id: 1, method: "ping" })).status).toBe(404)
    for (const insider of [true, false]) {
      const tools = await connect(started, path, { authorization: `Bearer ${await token({ insider })}` })
      const page = await tools.call("read_page", { path: "/install" })
      expect([insider, page.includes("internal mirror")]).toEqual([insider, insider])
      const found = await tools.call("search", { query: "internal mirror" })
      expect([insider, found.includes("/install")]).toEqual([insider, insider])
    }
  })

  it("ends with its share link, and does not exist for a site that is excluded from agents", async () => {
    const started = await startSite()
    const { call, at, path, pathOf } = started
    await call("", "PATCH", at, { visibility: "share-link" })
    const { value: link } = await call<ShareLink>("", "POST", `${at}/share-links`, { name: "Link" })
    const shared = pathOf(link.urls.published)
    expect((await send(started, path, { id: 1, method: "ping" })).status).toBe(404)
    const tools = await connect(started, shared)
    expect(await tools.call("read_page", { path: "/install" })).toContain("Run the installer.")
    await call("", "PATCH", `${at}/share-links/${link.id}`, { active: false })
    expect((await send(started, shared, { id: 1, method: "ping" })).status).toBe(404)
    await call("", "PATCH", at, { visibility: "public" })
    await connect(started, path)
    await call("", "PATCH", at, { agentsContext: "excluded" })
    expect((await send(started, path, { id: 1, method: "ping" })).status).toBe(404)
  })
})
