/**
 * Serves MCP without sessions of clients. The versions of MCP before 2026-07-28 permit a server to have sessions, and the implementation requires them,
 * with the first message of each client, until the process ends. Here all clients of one version share a session that the server opens. The tools
 * read the caller of each request, so that a session has no rights and no state, and another process of the server has it too.
 */
import { Option, Schema } from "effect"
import { serverOptions } from "./mcpTools.ts"

/** Handles one request of MCP. */
export type McpHandler = (request: Request) => Promise<Response>

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

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the JSON-RPC message of a response, which is an event or the whole body. */
const readMessage = async (response: Response): Promise<{ readonly result?: unknown }> => {
  const text = await response.text()
  return JSON.parse(/^data:(.*)$/m.exec(text)?.[1] ?? text) as { readonly result?: unknown }
}

const respond = (id: unknown, result: unknown): Response => Response.json({ jsonrpc: "2.0", id, result })

const withHeaders = (request: Request, body: unknown, headers: Readonly<Record<string, string>>): Request => {
  const changed = new Headers(request.headers)
  changed.delete(sessionHeader)
  for (const [name, value] of Object.entries(headers)) changed.set(name, value)
  return new Request(request.url, { method: request.method, headers: changed, body: JSON.stringify(body) })
}

/** Returns a handler for clients without sessions from one whose clients have sessions. */
export const shareSessions = (handle: McpHandler): McpHandler => {
  const sessions = new Map<string, Promise<Session>>()

  const open = async (request: Request, version: string): Promise<Session> => {
    const params = {
      protocolVersion: version,
      capabilities: {},
      clientInfo: { name: "client", version: "1.0.0" }
    }
    const message = { jsonrpc: "2.0", id: 0, method: "initialize", params }
    const opened = await handle(withHeaders(request, message, {}))
    const id = opened.headers.get(sessionHeader)
    const { result } = await readMessage(opened)
    if (id === null) throw new Error(`There is no session of MCP ${version}.`)
    const ready = { jsonrpc: "2.0", method: "notifications/initialized" }
    await handle(withHeaders(request, ready, { [sessionHeader]: id, [versionHeader]: version }))
    return { id, result }
  }

  const sessionOf = (request: Request, version: string): Promise<Session> => {
    const known = sessions.get(version)
    if (known !== undefined) return known
    const opening = open(request, version).catch((error: unknown) => {
      sessions.delete(version)
      throw error
    })
    sessions.set(version, opening)
    return opening
  }

  const initialize = async (request: Request, { id, params }: Message): Promise<Response> => {
    const version = Option.match(decodeInitialize(params), {
      onNone: () => sessionVersions[0]!,
      onSome: ({ protocolVersion }) => protocolVersion
    })
    return respond(id, (await sessionOf(request, version)).result)
  }

  return async (request) => {
    const version = request.headers.get(versionHeader) ?? defaultVersion
    const body = parse(await request.clone().text())
    if (isRequest(body) && body.method === "initialize") return initialize(request, body)
    if (!sessionVersions.some((known) => known === version) || body === undefined) {
      request.headers.delete(sessionHeader)
      return handle(request)
    }
    // Notifications concern the session: that a client cancels a request, for example by its number, which another client may use too.
    const requests = (Array.isArray(body) ? body : [body]).filter(isRequest)
    if (requests.length === 0) return new Response(null, { status: 202 })
    const [first] = requests
    if (!Array.isArray(body) && first?.method === "logging/setLevel") return respond(first.id, {})
    const { id } = await sessionOf(request, version)
    const headers = { [sessionHeader]: id, [versionHeader]: version }
    return handle(withHeaders(request, Array.isArray(body) ? requests : first, headers))
  }
}
