/**
 * The route of the MCP server of the workspace, `/v1/mcp`: agents search, read pages, and propose change requests, with the access of the
 * user whose API token, or whose authorization of a program, they send. Each request is authenticated.
 */
import {
  ApiTokens,
  type ChangeRequests,
  type Content,
  type Identity,
  type Organizations,
  type Records,
  type Search,
  type Spaces,
  Unauthenticated
} from "@lectern/core"
import { Effect } from "effect"
import type { ProgramAuthorization } from "../../programs/ProgramPort.ts"
import { bearerTokenOf, makeAuthenticateRequest } from "../authentication/authenticateRequest.ts"
import { unknownMethod } from "../messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"
import { mcpMethods, serveMcp, withFailures } from "./mcpMessages.ts"
import { workspaceMcpPath } from "./workspaceMcpPath.ts"

/** The services whose operations the tools call. */
export type WorkspaceMcpServices = ChangeRequests | Content | Organizations | Records | Search | Spaces

/** Creates the route of the MCP server. Returns `undefined` for a request to another path. */
export const makeWorkspaceMcp = Effect.fnUntraced(function* (programs: ProgramAuthorization | undefined) {
  const authenticate = yield* makeAuthenticateRequest
  const tokens = yield* ApiTokens
  const services = yield* Effect.context<WorkspaceMcpServices>()
  const server = yield* Effect.cached(
    Effect.gen(function* () {
      const { makeWorkspaceMcpHandler, workspaceMessageBounds } = yield* Effect.promise(
        () => import("./workspaceMcpServer.ts")
      )
      return { bounds: workspaceMessageBounds, handlerOf: makeWorkspaceMcpHandler(services) }
    })
  )

  /** Returns the user of a request: by credentials of the API, or by the token that a program has received for this server. */
  const identify = (request: ApiRequest) =>
    Effect.catchTag(authenticate(request), "Unauthenticated", (error) => {
      const token = bearerTokenOf(request)
      return token === undefined || programs === undefined
        ? Effect.fail(error)
        : tokens.authenticate(token, programs.resourceOf(request, workspaceMcpPath))
    })

  const serve = Effect.fnUntraced(function* (request: ApiRequest) {
    const identity: Identity = yield* identify(request)
    if (identity.visitor !== undefined) {
      return yield* new Unauthenticated({ reason: "TokenInvalid", message: "Visitors have no workspace." })
    }
    if (!mcpMethods.includes(request.method)) return unknownMethod(request.method, mcpMethods)
    const { bounds, handlerOf } = yield* server
    return yield* serveMcp(request, handlerOf(identity), bounds)
  })

  return (request: ApiRequest): Effect.Effect<ApiResponse> | undefined => {
    if (request.url.split("?", 1)[0] !== workspaceMcpPath) return undefined
    return withFailures(request, workspaceMcpPath, serve(request))
  }
})
