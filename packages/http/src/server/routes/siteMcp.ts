/**
 * The routes of the MCP servers of published sites: agents search the pages of a site and read them, with the access of a
 * visitor. The server of a site is at its URL, followed by `~gitbook/mcp`, as the public contract has it.
 */
import {
  type Content,
  CurrentUser,
  PublicUrl,
  PublishedContent,
  type PublishedSearch,
  PublishedSites,
  visitorIdentity,
  visitorOfToken
} from "@lectern/core"
import { Cause, Effect, Stream } from "effect"
import { defect, toResponse, unknownMethod, unknownPath } from "../messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"

/** The end of the path of the MCP server of a site. */
const mcpSuffix = "/~gitbook/mcp"

/** The headers that the MCP server reads. */
const forwardedHeaders = [
  "accept",
  "content-type",
  "mcp-session-id",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name"
]

const bearerPattern = /^bearer +([\x21-\x7e]{1,8192})$/i

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

/** Creates the route of the MCP servers of sites. Returns `undefined` for a request to another path. */
export const makeSiteMcp = Effect.gen(function* () {
  const published = yield* PublishedContent
  const sites = yield* PublishedSites
  const base = yield* PublicUrl
  const services = yield* Effect.context<PublishedContent | PublishedSearch | PublishedSites | Content>()
  const server = yield* Effect.cached(
    Effect.gen(function* () {
      const { contentHeader, makeMcpHandler } = yield* Effect.promise(() => import("./siteMcpServer.ts"))
      return { contentHeader, handle: yield* makeMcpHandler }
    }).pipe(Effect.provideContext(services))
  )

  const authorize = Effect.fnUntraced(function* (url: string, jwtToken: string | undefined) {
    const visitor = jwtToken === undefined ? {} : { visitor: { jwtToken } }
    const lookup = yield* published.resolve({ input: { url, ...visitor } })
    if ("redirect" in lookup) return false
    const { organization, site, apiToken } = lookup
    const { site: found } = yield* Effect.provideService(
      sites.get({ organization, site }),
      CurrentUser,
      visitorIdentity(visitorOfToken(apiToken)!)
    )
    return found.agentsContext === "included"
  })

  const serve = Effect.fnUntraced(function* (request: ApiRequest, path: string, query: string) {
    const url = `${request.baseUrl ?? base}${path.slice(0, -mcpSuffix.length)}/`
    const jwtToken =
      bearerPattern.exec(request.header("authorization") ?? "")?.[1] ??
      new URLSearchParams(query).get("jwt_token") ??
      undefined
    if (!(yield* authorize(url, jwtToken))) return unknownPath()
    if (request.method !== "POST" && request.method !== "DELETE") {
      return unknownMethod(request.method, ["POST", "DELETE"])
    }
    const { contentHeader, handle } = yield* server
    const headers = new Headers()
    for (const name of forwardedHeaders) {
      const value = request.header(name)
      if (value !== undefined) headers.set(name, value)
    }
    headers.set(contentHeader, encodeURIComponent(JSON.stringify({ url, jwtToken })))
    const body = request.method === "POST" ? yield* request.body : undefined
    const forwarded = new Request("http://127.0.0.1/mcp", {
      method: request.method,
      headers,
      ...(body === undefined ? {} : { body: Buffer.from(body) })
    })
    return toApiResponse(yield* Effect.promise(() => handle(forwarded)))
  })

  return (request: ApiRequest): Effect.Effect<ApiResponse> | undefined => {
    const [path = "", query = ""] = request.url.split("?", 2)
    if (!path.endsWith(mcpSuffix)) return undefined
    return Effect.catchCause(
      Effect.catch(serve(request, path, query), (error) => Effect.succeed(toResponse(error))),
      (cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.interrupt
          : Effect.succeed({ ...defect(request.id), outcome: { route: mcpSuffix, cause } })
    )
  }
})
