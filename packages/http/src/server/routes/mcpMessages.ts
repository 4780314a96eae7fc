/** The messages of MCP servers: the requests that they receive, and their responses. */
import { Cause, Effect, Stream } from "effect"
import { defect, toResponse } from "../messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"

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

/** Converts a request to one of an MCP server. */
export const toMcpRequest = Effect.fnUntraced(function* ({ method, header, body }: ApiRequest) {
  const headers = new Headers()
  for (const name of forwardedHeaders) {
    const value = header(name)
    if (value !== undefined) headers.set(name, value)
  }
  return new Request("http://127.0.0.1/mcp", {
    method,
    headers,
    body: Buffer.from(yield* body)
  })
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
export const toApiResponse = ({ status, headers, body }: Response): ApiResponse => ({
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
