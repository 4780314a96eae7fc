/** The messages of MCP servers: the headers that they read, and their responses. */
import { Stream } from "effect"
import type { ApiResponse } from "../messages/Message.ts"

/** The headers that an MCP server reads. */
export const forwardedHeaders: ReadonlyArray<string> = [
  "accept",
  "content-type",
  "mcp-session-id",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name"
]

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
