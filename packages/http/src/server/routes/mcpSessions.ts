/**
 * Serves MCP without sessions of clients. The versions of MCP before 2026-07-28 permit a server to have sessions, and the implementation requires them,
 * with the first message of each client, until the process ends. Here all clients of one version share a session that the server opens. The tools
 * read the caller of each request, so that a session has no rights and no state, and another process of the server has it too.
 */
import { type Context, Option, Schema } from "effect"
import { invalidMessageError, isMessage, type McpHandler } from "./mcpMessages.ts"
import { serverOptions } from "./mcpTools.ts"

/** Handles one request of MCP, which has one message. */
type MessageHandler = (request: Request, context: Context.Context<never>) => Promise<Response>

/** The versions of MCP that have sessions, from the latest. */
const sessionVersions = serverOptions.protocols
  .filter(({ runtime }) => runtime._tag === "Stateful")
  .map(({ protocolVersion }) => protocolVersion)

/** The version of a request without the header that names it, by the specification of MCP. */
const defaultVersion = "2025-03-26"

const [sessionHeader, versionHeader] = ["mcp-session-id", "mcp-protocol-version"] as const

/** A JSON-RPC message, as far as it selects how to handle it. */
const Message = Schema.Struct({
  id: Schema.optionalKey(Schema.Unknown),
  method: Schema.optionalKey(Schema.Unknown),
  params: Schema.optionalKey(Schema.Unknown)
})
type Message = typeof Message.Type

const decodeMessage = Schema.decodeUnknownOption(Message)

const Initialize = Schema.Struct({ protocolVersion: Schema.Literals(sessionVersions) })
const decodeInitialize = Schema.decodeUnknownOption(Initialize)

/** The session of a version, and the result of its first message, which each client receives. */
interface Session {
  readonly id: string
  readonly result: unknown
}

const isRequest = (message: unknown): message is Message =>
  Option.exists(decodeMessage(message), ({ id, method }) => id !== undefined && method !== undefined)

/** Lets other requests run before the next message of a batch. */
const yieldToOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Returns the JSON-RPC messages of a response, which are events or the whole body. */
const readMessages = async (response: Response): Promise<ReadonlyArray<{ readonly result?: unknown }>> => {
  const text = await response.text()
  const events = [...text.matchAll(/^data:(.*)$/gm)].map(([, data]) => data!)
  return (events.length === 0 ? [text] : events).map((data) => JSON.parse(data))
}

const respond = (id: unknown, result: unknown): Response => Response.json({ jsonrpc: "2.0", id, result })

const withHeaders = (request: Request, body: unknown, headers: Readonly<Record<string, string>>): Request => {
  const changed = new Headers(request.headers)
  changed.delete(sessionHeader)
  for (const [name, value] of Object.entries(headers)) changed.set(name, value)
  return new Request(request.url, {
    method: request.method,
    headers: changed,
    body: JSON.stringify(body),
    signal: request.signal
  })
}

/**
 * Returns a handler for clients without sessions from one whose clients have sessions. The implementation receives the messages of a batch one by
 * one: it holds the event loop for as long as a batch takes, and never responds to one of several thousand messages, because it composes a
 * function per message, whose call exceeds the stack both for the response and for that of the error.
 */
export const shareSessions = (handle: MessageHandler): McpHandler => {
  const sessions = new Map<string, Promise<Session>>()

  const open = async (
    request: Request,
    version: string,
    context: Context.Context<never>
  ): Promise<Session> => {
    const params = {
      protocolVersion: version,
      capabilities: {},
      clientInfo: { name: "client", version: "1.0.0" }
    }
    const message = { jsonrpc: "2.0", id: 0, method: "initialize", params }
    // Other clients wait for the session, so that it is opened also if this client disconnects.
    const own = new Request(request.url, { method: request.method, headers: request.headers })
    const opened = await handle(withHeaders(own, message, {}), context)
    const id = opened.headers.get(sessionHeader)
    const result = (await readMessages(opened)).at(-1)?.result
    if (id === null) throw new Error(`There is no session of MCP ${version}.`)
    const ready = { jsonrpc: "2.0", method: "notifications/initialized" }
    await handle(withHeaders(own, ready, { [sessionHeader]: id, [versionHeader]: version }), context)
    return { id, result }
  }

  const sessionOf = (
    request: Request,
    version: string,
    context: Context.Context<never>
  ): Promise<Session> => {
    const known = sessions.get(version)
    if (known !== undefined) return known
    const opening = open(request, version, context).catch((error: unknown) => {
      sessions.delete(version)
      throw error
    })
    sessions.set(version, opening)
    return opening
  }

  const initialize = async (
    request: Request,
    { id, params }: Message,
    context: Context.Context<never>
  ): Promise<Response> => {
    const version = Option.match(decodeInitialize(params), {
      onNone: () => sessionVersions[0]!,
      onSome: ({ protocolVersion }) => protocolVersion
    })
    return respond(id, (await sessionOf(request, version, context)).result)
  }

  const handleMessage: McpHandler = async (request, message, context) => {
    const version = request.headers.get(versionHeader) ?? defaultVersion
    if (isRequest(message) && message.method === "initialize") return initialize(request, message, context)
    if (!sessionVersions.some((known) => known === version)) {
      return handle(withHeaders(request, message, {}), context)
    }
    // Notifications concern the session: that a client cancels a request, for example by its number, which another client may use too.
    if (!isRequest(message)) return new Response(null, { status: 202 })
    if (message.method === "logging/setLevel") return respond(message.id, {})
    const { id } = await sessionOf(request, version, context)
    return handle(withHeaders(request, message, { [sessionHeader]: id, [versionHeader]: version }), context)
  }

  const handleBatch = async (
    request: Request,
    messages: ReadonlyArray<unknown>,
    context: Context.Context<never>
  ): Promise<Response> => {
    const answers: Array<unknown> = []
    for (const message of messages) {
      if (!isMessage(message)) {
        answers.push({ jsonrpc: "2.0", id: null, error: invalidMessageError })
        continue
      }
      const response = await handleMessage(request, message, context)
      if (response.status === 202) continue
      // The headers are invalid for every message, or the implementation has failed.
      if (response.status !== 200) return response
      answers.push(...(await readMessages(response)))
      await yieldToOthers()
    }
    return answers.length === 0 ? new Response(null, { status: 202 }) : Response.json(answers)
  }

  return (request, message, context) =>
    Array.isArray(message) ? handleBatch(request, message, context) : handleMessage(request, message, context)
}
