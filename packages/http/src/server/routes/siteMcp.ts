/**
 * The routes of the MCP servers of published sites: agents search the pages of a site and read them, with the access of a
 * visitor. The server of a site is at its URL, followed by `~gitbook/mcp`, as the public contract has it.
 */
import {
  ApiTokens,
  type Content,
  CurrentUser,
  MemberVisits,
  type NotFound,
  PublicUrl,
  PublishedContent,
  type PublishedSearch,
  PublishedSites,
  type StorageUnavailable,
  Unauthenticated,
  visitorIdentity,
  visitorOfToken
} from "@lectern/core"
import { Effect } from "effect"
import type { ProgramAuthorization } from "../../programs/ProgramPort.ts"
import { toResponse, unknownMethod, unknownPath } from "../messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"
import { mcpMethods, serveMcp, withFailures } from "./mcpMessages.ts"
import { mcpSuffix } from "./siteMcpPath.ts"

const bearerPattern = /^bearer +([\x21-\x7e]{1,8192})$/i

/** A JSON Web Token, which a visitor has. An access token of a program has no dots. */
const isVisitorJwt = (token: string): boolean => token.includes(".")

/** The response to a request without valid credentials, which names the authorization server. */
const challenge = (header: string): ApiResponse => {
  const response = toResponse(
    new Unauthenticated({
      reason: "TokenInvalid",
      message:
        "The site requires a sign-in. Sign in by the authorization server that `WWW-Authenticate` names."
    })
  )
  response.headers["www-authenticate"] = header
  return response
}

/**
 * Creates the route of the MCP servers of sites. Returns `undefined` for a request to another path. With an authorization server,
 * members of the organization can sign in to the server of a site that requires credentials.
 */
export const makeSiteMcp = Effect.fnUntraced(function* (programs: ProgramAuthorization | undefined) {
  const published = yield* PublishedContent
  const sites = yield* PublishedSites
  const base = yield* PublicUrl
  const tokens = yield* ApiTokens
  const visits = yield* MemberVisits
  const services = yield* Effect.context<PublishedContent | PublishedSearch | PublishedSites | Content>()
  const server = yield* Effect.cached(
    Effect.gen(function* () {
      const { contentHeader, makeMcpHandler, siteMessageBounds } = yield* Effect.promise(
        () => import("./siteMcpServer.ts")
      )
      return { bounds: siteMessageBounds, contentHeader, handle: makeMcpHandler(services) }
    })
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

  /** Returns the visitor token of the person whose program has sent a request; undefined for a site that requires none. */
  const visitorTokenOf = Effect.fnUntraced(function* (token: string, resource: string, url: string) {
    const identity = yield* tokens.authenticate(token, resource)
    const { isPublic, organization, site } = yield* published.locate(url)
    if (isPublic) return undefined
    const visit = yield* Effect.provideService(visits.start({ organization, site }), CurrentUser, identity)
    return new URL(visit.url).searchParams.get("jwt_token") ?? undefined
  })

  /** The response to a request that the site does not admit: without credentials, if the site requires them. */
  const refusal = (
    programs: ProgramAuthorization,
    request: ApiRequest,
    path: string,
    url: string
  ): Effect.Effect<ApiResponse, NotFound | StorageUnavailable> =>
    Effect.map(published.locate(url), ({ isPublic }) =>
      isPublic ? unknownPath() : challenge(programs.challengeOf(request, path))
    )

  const serve = Effect.fnUntraced(function* (request: ApiRequest, path: string, query: string) {
    const url = `${request.baseUrl ?? base}${path.slice(0, -mcpSuffix.length)}/`
    const token = bearerPattern.exec(request.header("authorization") ?? "")?.[1]
    const isOfProgram = programs !== undefined && token !== undefined && !isVisitorJwt(token)
    const jwtToken = isOfProgram
      ? yield* Effect.catchTag(
          visitorTokenOf(token, programs.resourceOf(request, path), url),
          "Unauthenticated",
          () => Effect.succeed(null)
        )
      : (token ?? new URLSearchParams(query).get("jwt_token") ?? undefined)
    if (jwtToken === null && programs !== undefined) {
      return challenge(`${programs.challengeOf(request, path)}, error="invalid_token"`)
    }
    const visitorJwt = jwtToken ?? undefined
    const isAdmitted = yield* Effect.catchTag(authorize(url, visitorJwt), "NotFound", (missing) =>
      programs === undefined ? Effect.fail(missing) : Effect.succeed(false)
    )
    if (!isAdmitted) {
      return programs === undefined ? unknownPath() : yield* refusal(programs, request, path, url)
    }
    if (!mcpMethods.includes(request.method)) return unknownMethod(request.method, mcpMethods)
    const { bounds, contentHeader, handle } = yield* server
    return yield* serveMcp(request, handle, bounds, {
      [contentHeader]: encodeURIComponent(JSON.stringify({ url, jwtToken: visitorJwt }))
    })
  })

  return (request: ApiRequest): Effect.Effect<ApiResponse> | undefined => {
    const [path = "", query = ""] = request.url.split("?", 2)
    if (!path.endsWith(mcpSuffix)) return undefined
    return withFailures(request, mcpSuffix, serve(request, path, query))
  }
})
