/** The options that all MCP servers and their tools share. It is loaded with them. */
import { type JsonBounds, jsonBoundsOf } from "@lectern/model/schema"
import { Schema } from "effect"
import { McpProtocol, type Tool } from "effect/ai"
import { HttpServerRequest } from "effect/http"

/** The options of a tool: it returns its errors to the model, and reads the request. */
export const toolOptions = {
  failure: Schema.Struct({
    /** The problem, and how to solve it. */
    message: Schema.String
  }),
  failureMode: "return" as const,
  dependencies: [HttpServerRequest.HttpServerRequest]
}

/** The options of a server. */
export const serverOptions = {
  version: "1.0.0",
  path: "/mcp" as const,
  protocols: [
    McpProtocol.v2026_07_28,
    McpProtocol.v2025_11_25,
    McpProtocol.v2025_06_18,
    McpProtocol.v2025_03_26
  ] as const,
  allowSubscriptions: false
}

/** How much JSON a message can have besides the arguments of a tool: the capabilities and the metadata of its client. */
export const messageJson: JsonBounds = { values: 1_000, keys: 300 }

/** Returns the bounds of a message to a server with these tools, which call one with its arguments. */
export const messageBoundsOf = (tools: Readonly<Record<string, Tool.Any>>): JsonBounds =>
  jsonBoundsOf(
    Schema.Union(Object.values(tools).map(({ parametersSchema }) => parametersSchema)),
    messageJson
  )
