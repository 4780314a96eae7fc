/** The messages of MCP servers: the requests that they receive, and their responses. */
import { OrganizationMeter } from "@lectern/core"
import type { JsonBounds } from "@lectern/model/schema"
import { Cause, Context, Effect, Result, Stream } from "effect"
import { CallMeter } from "../messages/CallMeter.ts"
import { defect, toResponse } from "../messages/failures.ts"
import { excessOf, parseWithinBounds } from "../messages/json.ts"
import { type ApiRequest, type ApiResponse, jsonResponse } from "../messages/Message.ts"

/** The methods of MCP servers. */
export const mcpMethods = ["POST"]

/** The headers that an MCP server reads. */
const forwardedHeaders: ReadonlyArray<string> = [
  "accept",
  "content-type",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name"
]

/** The only version of MCP with batches, which is that of a request without a version. */
const versionWithBatches = "2025-03-26"

/** The maximum number of messages of a batch. */
export const maximumBatch = 10

/** The error of a message by JSON-RPC: it is not JSON, or no valid request. */
const messageError = (code: -32700 | -32600, message: string): ApiResponse =>
  jsonResponse(400, JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } }), {
    "cache-control": "no-store"
  })

/** The error of a value that is not a message. */
export const invalidMessageError = {
  code: -32600,
  message: "A message must be an object with `method`, `result` or `error`."
} as const

const invalidMessage = (): ApiResponse => messageError(invalidMessageError.code, invalidMessageError.message)

/** Whether a value is a JSON-RPC message: a request, a notification, or a response. */
export const isMessage = (value: unknown): value is object =>
  typeof value === "object" &&
  value !== null &&
  (typeof Reflect.get(value, "method") === "string" || "result" in value || "error" in value)

/** Returns the error of a batch that is not executed. */
const batchError = (messages: ReadonlyArray<unknown>, version: string): ApiResponse | undefined => {
  if (version !== versionWithBatches) {
    return messageError(
      -32600,
      `Version ${version} of MCP has no batches. Send each message in a request of its own.`
    )
  }
  return messages.length === 0 || messages.length > maximumBatch
    ? messageError(
        -32600,
        `A batch must have 1 to ${maximumBatch} messages, but has ${messages.length}. None was executed. Send the others in further requests.`
      )
    : undefined
}

const openList = 0x5b

/** Whether a body is a batch: its first character, after whitespace, opens a list. */
const isBatch = (body: Uint8Array): boolean => body.find((byte) => byte > 0x20) === openList

/** The bounds of a body: a message, or a batch of as many values as its messages can have. */
const boundsOf = (body: Uint8Array, { values, keys }: JsonBounds): JsonBounds => ({
  values: isBatch(body) ? values * maximumBatch : values,
  keys
})

/** Handles the messages of a request to an MCP server: one message, or a batch. The context is that of the request. */
export type McpHandler = (
  request: Request,
  message: unknown,
  context: Context.Context<never>
) => Promise<Response>

/**
 * Serves a request by the handler of an MCP server. Each message of a batch counts for the limits of requests. The handler is interrupted with
 * the request.
 */
export const serveMcp = Effect.fnUntraced(function* (
  request: ApiRequest,
  handle: McpHandler,
  bounds: JsonBounds,
  ownHeaders: Readonly<Record<string, string>> = {}
) {
  const body = yield* request.body
  if (body.length === 0) return messageError(-32600, "The body is empty. Send a JSON-RPC message.")
  const excess = excessOf(body, boundsOf(body, bounds))
  if (excess !== undefined) return messageError(-32600, `The message ${excess}.`)
  const parsed = parseWithinBounds(body)
  if (Result.isFailure(parsed)) return messageError(-32700, `The message ${parsed.failure.message}.`)
  const message = parsed.success
  if (Array.isArray(message)) {
    const error = batchError(message, request.header("mcp-protocol-version") ?? versionWithBatches)
    if (error !== undefined) return error
    const meter = yield* CallMeter
    if (meter !== undefined) yield* meter(message.length)
  } else if (!isMessage(message)) return invalidMessage()
  const headers = new Headers()
  for (const name of forwardedHeaders) {
    const value = request.header(name)
    if (value !== undefined) headers.set(name, value)
  }
  for (const [name, value] of Object.entries(ownHeaders)) headers.set(name, value)
  const context = Context.make(OrganizationMeter, yield* OrganizationMeter)
  const response = yield* Effect.promise((signal) =>
    handle(
      new Request("http://127.0.0.1/mcp", { method: request.method, headers, signal }),
      message,
      context as Context.Context<never>
    )
  )
  return toApiResponse(response)
})

/** Responds with the error of a request to an MCP server. A defect is logged with the route. */
export const withFailures = (
  request: ApiRequest,
  route: string,
  serve: Effect.Effect<ApiResponse, Parameters<typeof toResponse>[0]>
): Effect.Effect<ApiResponse> =>
  Effect.catchCause(
    Effect.catch(serve, (error) => Effect.succeed(toResponse(error))),
    (cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.interrupt
        : Effect.succeed({ ...defect(request.id), outcome: { route, cause } })
  )

/** Converts the response of an MCP server. */
const toApiResponse = ({ status, headers, body }: Response): ApiResponse => ({
  status,
  headers: { ...Object.fromEntries(headers), "cache-control": "no-store" },
  body:
    body === null
      ? undefined
      : {
          stream: Stream.fromReadableStream({ evaluate: () => body, onError: (error) => error }),
          length: undefined
        }
})
