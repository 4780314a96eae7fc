/** The server retains nothing of clients of MCP: an anonymous visitor cannot fill the memory of the server. */
import { runs } from "@lectern/harness"
import { Context } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { shareSessions } from "../src/server/routes/mcpSessions.ts"

interface Message {
  readonly id?: unknown
  readonly method?: string
  readonly params?: { readonly protocolVersion?: string; readonly clientInfo?: object }
}

/** An implementation with sessions that records its messages. Its session is named by its version and number. */
const implementation = () => {
  const messages: Array<{ readonly session: string | null; readonly message: Message }> = []
  let opened = 0
  const handle = shareSessions(async (request) => {
    const session = request.headers.get("mcp-session-id")
    const body = (await request.json()) as Message | ReadonlyArray<Message>
    const all = Array.isArray(body) ? (body as ReadonlyArray<Message>) : [body as Message]
    messages.push(...all.map((message) => ({ session, message })))
    const [first] = all
    if (first?.method === "initialize") {
      return Response.json(
        { jsonrpc: "2.0", id: first.id, result: { protocolVersion: first.params?.protocolVersion } },
        { headers: { "mcp-session-id": `session-${opened++}` } }
      )
    }
    const answers = all.filter(({ id }) => id !== undefined).map(({ id, method }) => ({ id, result: method }))
    return Response.json(Array.isArray(body) ? answers : (answers[0] ?? null))
  })
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    handle(new Request("http://127.0.0.1/mcp", { method: "POST", headers }), body, Context.empty())
  return { messages, send }
}

const versions = ["2025-11-25", "2025-06-18", "2025-03-26"]

const id = fc.oneof(fc.nat(5), fc.string({ maxLength: 5 }))
const session = fc.option(fc.string({ maxLength: 8 }), { nil: undefined })
const initialize = fc.record({
  id,
  method: fc.constant("initialize"),
  params: fc.record({
    protocolVersion: fc.constantFrom(...versions, "2020-01-01", ""),
    capabilities: fc.object(),
    clientInfo: fc.record({ name: fc.string({ maxLength: 2_000 }), version: fc.string() })
  })
})
const notification = fc.record({
  method: fc.constantFrom("notifications/initialized", "notifications/cancelled"),
  params: fc.record({ requestId: id })
})
const request = fc.record({ id, method: fc.constantFrom("tools/list", "tools/call", "ping") })
const level = fc.record({ id, method: fc.constant("logging/setLevel") })
const single = fc.oneof(initialize, notification, request, level)
const batch = fc.array(fc.oneof(notification, request), { minLength: 1, maxLength: 4 })

describe("clients of an MCP server", () => {
  it("share one session per version, and change nothing in it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            body: fc.oneof(single, batch),
            version: fc.constantFrom(...versions, undefined),
            session
          }),
          { maxLength: 20 }
        ),
        async (sent) => {
          const { messages, send } = implementation()
          for (const { body, version, session } of sent) {
            const response = await send(body, {
              ...(version === undefined ? {} : { "mcp-protocol-version": version }),
              ...(session === undefined ? {} : { "mcp-session-id": encodeURIComponent(session) })
            })
            expect(response.headers.get("mcp-session-id")).toBeNull()
            const answer = response.status === 202 ? undefined : await response.json()
            const asked = (Array.isArray(body) ? body : [body]).filter((message) => "id" in message)
            expect(answer === undefined ? [] : [answer].flat().map((one) => one.id)).toEqual(
              asked.map((message) => ("id" in message ? message.id : undefined))
            )
          }
          const own = messages.filter(({ message }) => message.method?.startsWith("notifications/") === true)
          expect(own.every(({ message }) => message.method === "notifications/initialized")).toBe(true)
          const opened = messages.filter(({ message }) => message.method === "initialize")
          expect(opened.length).toBeLessThanOrEqual(versions.length)
          expect(own.length).toBe(opened.length)
          expect(opened.every(({ message }) => message.params?.clientInfo !== undefined)).toBe(true)
          expect(JSON.stringify(opened).length).toBeLessThan(1_000)
          const rest = messages.filter(
            ({ message }) => message.method !== "initialize" && message.method !== "logging/setLevel"
          )
          expect(rest.every(({ session }) => session?.startsWith("session-") === true)).toBe(true)
          expect(messages.some(({ message }) => message.method === "logging/setLevel")).toBe(false)
        }
      ),
      runs(100)
    )
  })

  it("without a session of this process, as after a restart, are served", async () => {
    const { send } = implementation()
    const response = await send(
      { id: 7, method: "tools/list" },
      { "mcp-session-id": "of another process", "mcp-protocol-version": "2025-06-18" }
    )
    expect(await response.json()).toEqual({ id: 7, result: "tools/list" })
  })

  it("send batches whose messages are handled one by one, between other work", async () => {
    const { messages, send } = implementation()
    const seen: Array<number> = []
    let isFinished = false
    const observe = () => {
      seen.push(messages.length)
      if (!isFinished) setImmediate(observe)
    }
    observe()
    const batch = Array.from({ length: 10 }, (_, id) => ({ id, method: "tools/list" }))
    const response = await send(batch)
    isFinished = true
    expect(await response.json()).toHaveLength(10)
    // The session has two messages.
    for (let count = 3; count < 12; count++) expect(seen).toContain(count)
  })

  it("of a version without sessions, and malformed messages, pass through", async () => {
    const { messages, send } = implementation()
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-session-id": "other" }
    await send({ id: 1, method: "tools/list", params: {} }, headers)
    expect(messages).toEqual([{ session: null, message: { id: 1, method: "tools/list", params: {} } }])
  })
})
