/** The MCP server of the workspace: agents act as the user whose token they send. */
import type { ChangeRequest, Revision } from "@lectern/core"
import { ApiTokens } from "@lectern/core"
import { Effect, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { memory } from "./stores.ts"
import { createContent, secretText } from "./support/answers.ts"
import { authorizeIn, registerProgram, startProgramServer } from "./support/programServer.ts"
import { startServerOn, type TestServer } from "./support.ts"

interface ToolResult {
  readonly isError?: boolean
  readonly structuredContent?: Record<string, unknown>
  readonly content?: ReadonlyArray<{ readonly text?: string }>
}

/** Sends a JSON-RPC message; returns the status, the session and the result of its response. */
const send = async (
  url: string,
  token: string | undefined,
  message: object,
  headers: Record<string, string> = {}
) => {
  const response = await fetch(`${url}/v1/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
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
  const parsed = line.trim() === "" ? {} : (JSON.parse(line) as { result?: unknown; error?: unknown })
  return { response, result: parsed.result ?? parsed.error }
}

/** Initializes a session with a token, and returns the function that calls a tool in it. */
const connect = async (url: string, token: string) => {
  const opened = await send(url, token, {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } }
  })
  expect([opened.response.status, opened.result]).toMatchObject([200, { serverInfo: { name: "lectern" } }])
  const session = {
    "mcp-session-id": opened.response.headers.get("mcp-session-id") ?? "",
    "mcp-protocol-version": "2025-06-18"
  }
  await send(url, token, { method: "notifications/initialized" }, session)
  const rpc = (method: string, params: object, as = token) =>
    send(url, as, { id: 2, method, params }, session)
  return {
    list: async () => JSON.stringify((await rpc("tools/list", {})).result),
    call: async (name: string, parameters: object, as = token): Promise<ToolResult> =>
      (await rpc("tools/call", { name, arguments: parameters }, as)).result as ToolResult
  }
}

/** Creates an API token of a user with permissions. */
const limitedToken = (
  { core }: TestServer,
  user: string,
  limits: { readonly permissions?: ReadonlyArray<string>; readonly readOnly?: boolean }
): Promise<string> =>
  core.runtime.runPromise(
    Effect.map(
      Effect.flatMap(ApiTokens, (tokens) =>
        tokens.create({ input: { user, label: "Agent", ...limits } as never })
      ),
      ({ secret }) => Redacted.value(secret)
    )
  )

const start = async () => {
  const server = await startServerOn(memory)
  const content = await createContent({ server })
  const member = await server.core.createUser("member@example.com")
  await server.core.setMember(content.organization, member, "edit")
  await content.call("", "PATCH", `/spaces/${content.secret}`, { defaultLevel: null })
  return { server, member, ...content }
}

describe("the MCP server of the workspace", () => {
  it("requires credentials", async () => {
    const { server } = await start()
    const { response, result } = await send(server.url, undefined, { id: 1, method: "tools/list" })
    expect([response.status, result]).toMatchObject([401, { reason: "TokenMissing" }])
    expect(
      (await send(server.url, "wrong".repeat(10), { id: 1, method: "tools/list" })).response.status
    ).toBe(401)
  })

  it("searches and reads only pages that the user can read", async () => {
    const { server, member, token, guide, secret } = await start()
    const tools = await connect(server.url, await server.tokenOf(member))
    expect(await tools.list()).toMatch(/"search".*"read_page".*"propose_change_request"/)
    const found = await tools.call("search", { query: "launch code" })
    expect(JSON.stringify(found)).toContain("Install")
    expect(JSON.stringify(found)).not.toContain("KESTREL")
    const results = found.structuredContent!.results as ReadonlyArray<{ space: string; page: string }>
    expect(results[0]).toMatchObject({ space: guide })
    expect(JSON.stringify(await tools.call("read_page", results[0]!))).toContain("Run the installer")
    const admin = await connect(server.url, token)
    const seen = await admin.call("search", { query: "kestrel" })
    const [hidden] = seen.structuredContent!.results as ReadonlyArray<{ space: string; page: string }>
    expect(hidden).toMatchObject({ space: secret })
    expect(JSON.stringify(await admin.call("read_page", hidden!))).toContain(secretText)
    const refused = await tools.call("read_page", hidden!)
    expect(JSON.stringify(refused)).toContain("There is no such space.")
    expect(JSON.stringify(refused)).not.toContain(secretText)
  })

  it("acts as the user of each request, also in the session of another", async () => {
    const { server, member, token, secret } = await start()
    const admin = await connect(server.url, token)
    const page = (
      (await admin.call("search", { query: "kestrel" })).structuredContent!.results as [{ page: string }]
    )[0].page
    const stolen = await admin.call("read_page", { space: secret, page }, await server.tokenOf(member))
    expect(JSON.stringify(stolen)).not.toContain(secretText)
  })

  it("proposes a change request, and does not change the content of the space", async () => {
    const { server, member, guide, call } = await start()
    const tools = await connect(server.url, await server.tokenOf(member))
    const found = await tools.call("search", { query: "installer" })
    const [{ page }] = found.structuredContent!.results as [{ page: string }]
    const proposed = await tools.call("propose_change_request", {
      space: guide,
      subject: "Correct the command",
      changes: [
        { page, markdown: "Run `npm install`." },
        { title: "New page", markdown: "It is new." }
      ]
    })
    expect(proposed.isError).not.toBe(true)
    const { changeRequest } = proposed.structuredContent as { changeRequest: string }
    const at = `/spaces/${guide}/change-requests/${changeRequest}`
    const { value: created } = await call<ChangeRequest>("", "GET", at)
    expect(created).toMatchObject({
      subject: "Correct the command",
      status: "open",
      createdBy: { id: member }
    })
    const { value: listed } = await call<{ items: ReadonlyArray<ChangeRequest> }>(
      "",
      "GET",
      `/spaces/${guide}/change-requests`
    )
    expect(listed.items.map(({ id }) => id)).toEqual([changeRequest])
    const { value: changed } = await call<Revision>("", "GET", `${at}/content`)
    expect(changed.pages.map(({ title }) => title)).toEqual(["Start", "Install", "New page"])
    const { value: current } = await call<object>(
      "",
      "GET",
      `/spaces/${guide}/content/page/${page}?format=markdown`
    )
    expect(JSON.stringify(current)).toContain("Run the installer")
  })

  it("leaves no change request of changes that cannot be applied, and no gap in their numbers", async () => {
    const { server, member, guide, call } = await start()
    const tools = await connect(server.url, await server.tokenOf(member))
    const propose = (changes: ReadonlyArray<object>) =>
      tools.call("propose_change_request", { space: guide, subject: "Change", changes })
    for (const changes of [
      [{ page: "01m8dpec8f00000000000000000000", markdown: "x" }],
      [{ markdown: "x", title: "x", into: "01m8dpec8f00000000000000000000" }]
    ]) {
      expect((await propose(changes)).isError).toBe(true)
    }
    for (const status of ["draft", "open", "archived"]) {
      const { value } = await call<{ items: ReadonlyArray<unknown> }>(
        "",
        "GET",
        `/spaces/${guide}/change-requests?status=${status}`
      )
      expect([status, value.items]).toEqual([status, []])
    }
    const { structuredContent } = await propose([{ title: "New page", markdown: "x" }])
    expect(structuredContent).toMatchObject({ number: 1 })
  })

  it("announces no tool as both read-only and destructive", async () => {
    const { server, token } = await start()
    const { tools } = JSON.parse(await (await connect(server.url, token)).list()) as {
      tools: ReadonlyArray<{ name: string; annotations: { readOnlyHint: boolean; destructiveHint: boolean } }>
    }
    expect(
      tools.map(({ name, annotations }) => [name, annotations.readOnlyHint, annotations.destructiveHint])
    ).toEqual([
      ["search", true, false],
      ["read_page", true, false],
      ["propose_change_request", false, false]
    ])
  })

  it("respects the permissions of a token", async () => {
    const { server, admin, guide } = await start()
    const propose = { space: guide, subject: "x", changes: [{ title: "x", markdown: "x" }] }
    for (const limits of [{ readOnly: true }, { permissions: ["space.read"] }]) {
      const tools = await connect(server.url, await limitedToken(server, admin, limits))
      expect(JSON.stringify(await tools.call("propose_change_request", propose))).toMatch(/token/i)
    }
  })

  it("rejects malformed parameters and unknown tools", async () => {
    const { server, token, guide } = await start()
    const tools = await connect(server.url, token)
    for (const [name, parameters] of [
      ["delete_space", { space: guide }],
      ["read_page", {}],
      ["propose_change_request", { space: guide, subject: "x", changes: [] }],
      ["search", { query: "x".repeat(600) }]
    ] as const) {
      const result = await tools.call(name, parameters)
      expect([name, result.isError === true || "code" in result]).toEqual([name, true])
    }
  })
})

it("admits a program that a person has authorized for it, which the API rejects", async () => {
  const server = await startProgramServer(memory)
  await server.createUser("ada@example.com")
  const resource = `${server.url}/v1/mcp`
  const challenge = (await send(server.url, undefined, { id: 1, method: "tools/list" })).response.headers.get(
    "www-authenticate"
  )
  const metadataUrl = /resource_metadata="([^"]+)"/.exec(challenge ?? "")?.[1] ?? ""
  expect(await (await fetch(metadataUrl)).json()).toMatchObject({
    resource,
    scopes_supported: expect.arrayContaining(["space.read"])
  })
  const browser = await server.signIn("ada@example.com")
  const program = await registerProgram(server)
  const tokens = await authorizeIn(server, browser, program, { resource, scope: "space.read" })
  const tools = await connect(server.url, tokens.access_token)
  expect((await tools.call("search", { query: "x" })).structuredContent).toEqual({ results: [] })
  const ofApi = await server.fetch("/v1/user", { token: tokens.access_token })
  expect(ofApi.status).toBe(401)
})
