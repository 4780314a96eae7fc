/**
 * Handles requests of the API: matches the operation, authenticates the caller, decodes the request, runs the handler and
 * encodes its result. It is independent of sockets: `nodeListener.ts` and `webHandler.ts` receive requests and send responses.
 *
 * It replaces the router that `HttpApiBuilder` builds from the same declaration (docs/decisions/0037-own-dispatcher.md).
 * Services return results in their encoded shape, so they are serialized without a schema encoder.
 */
import {
  admitsAnonymous,
  admitsVisitors,
  anonymousVisitor,
  Content,
  CurrentToken,
  CurrentUser,
  IdempotencyKeys,
  type Identity,
  isVisitorToken,
  PublicUrl,
  Unauthenticated,
  visitorIdentity,
  visitorOfToken
} from "@lectern/core"
import { Cause, Effect } from "effect"
import type { HttpFeature } from "../HttpFeature.ts"
import { operations } from "../handlers/operations.ts"
import { apiTokenOf, bearerTokenOf, makeAuthenticateRequest } from "./authentication/authenticateRequest.ts"
import { makeSessionCookies } from "./authentication/sessionCookies.ts"
import type { Encoded } from "./encode.ts"
import { executeRequest } from "./executeRequest.ts"
import { matchesEtag } from "./messages/etag.ts"
import { defect, type Failure, notAcceptable, toResponse, unknownMethod } from "./messages/failures.ts"
import { type ApiRequest, type ApiResponse, emptyResponse, jsonResponse } from "./messages/Message.ts"
import { inRequestedContract, receivesValidDocuments, requestsNewerContract } from "./requestedContract.ts"
import type { NonApiRoutes } from "./routes/nonApiRoutes.ts"
import { unknownPage } from "./routes/unknownPages.ts"
import { type Match, makeRouteTable, type Route } from "./routeTable.ts"
import { encodeResult, makeResponseValidator } from "./validateResponse.ts"
import { visitorResponse } from "./visitorResponse.ts"

const invalidVisitorToken = new Unauthenticated({
  reason: "TokenInvalid",
  message: "The token of a visitor is malformed, or the operation is not available to visitors."
})

/** Whether the `Accept` header of a request allows JSON. */
const acceptsJson = (accept: string | undefined): boolean =>
  accept === undefined || accept.trim() === "" || /\*\/\*|application\/(\*|json)/i.test(accept)

/** For resources that never change: clients cache them for a year, the maximum that caches honor; shared caches do not. */
const immutableCaching = "private, max-age=31536000, immutable"

/**
 * Returns the URL of a created resource: its `urls.location`, or the URL of the request followed by its id. If the request's
 * URL is already inside of the resource, the URL of that resource. The `url` of a resource without an id, such as an upload.
 */
const createdLocation = (base: string, url: string, value: unknown): string | undefined => {
  const {
    id,
    url: own,
    urls
  } = value as {
    readonly id?: string
    readonly url?: string
    readonly urls?: { readonly location?: string }
  }
  if (urls?.location !== undefined || id === undefined) return urls?.location ?? own
  const segments = url.replace(/\/?(\?.*)?$/, "").split("/")
  const idIndex = segments.lastIndexOf(id)
  return `${base}${[...(idIndex === -1 ? [...segments, id] : segments.slice(0, idIndex + 1))].join("/")}`
}

/** Builds the response of a success. A resource has an entity tag; if `If-None-Match` has the same, the response is 304. */
const successResponse = (
  base: string,
  request: ApiRequest,
  route: Route,
  encoded: Encoded,
  value: unknown
): ApiResponse => {
  const { status } = route
  const { body } = encoded
  if (status === 201) {
    const location = createdLocation(base, request.url, value)
    return jsonResponse(status, body, location === undefined ? {} : { location })
  }
  if (!route.isTagged) return jsonResponse(status, body)
  const etag = encoded.etag()
  const headers = (): Record<string, string> =>
    route.isImmutable ? { etag, "cache-control": immutableCaching } : { etag }
  const cachedTag = route.isWrite ? undefined : request.header("if-none-match")
  if (cachedTag !== undefined && matchesEtag(cachedTag, etag)) return emptyResponse(304, headers())
  return jsonResponse(status, body, headers())
}

/** Handles a request. It never fails: errors become responses with their status. */
export type Dispatcher = (request: ApiRequest) => Effect.Effect<ApiResponse>

/** Returns the response to a defect, whose cause is logged. An interruption remains one. */
export const defectResponse = (
  { id }: ApiRequest,
  cause: Cause.Cause<unknown>,
  route?: string
): Effect.Effect<ApiResponse> =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.interrupt
    : Effect.succeed({ ...defect(id), outcome: route === undefined ? { cause } : { route, cause } })

/** Options of {@link makeApiDispatcher}. */
export interface DispatcherOptions<Services> {
  /** The features of the host. */
  readonly features: ReadonlyArray<HttpFeature<Services>>
  /** Whether to validate every response against its declaration, for tests, and not only the responses of the host. */
  readonly validateResponses: boolean
  /** The maximum size of the body of an upload, in bytes. */
  readonly uploadLimit: number
}

/** Creates the dispatcher of a workspace. Requests that match no operation go to `nonApiRoutes`. */
export const makeApiDispatcher = Effect.fnUntraced(function* <Services>(
  nonApiRoutes: NonApiRoutes,
  { validateResponses, uploadLimit, features }: DispatcherOptions<Services>
) {
  const authenticate = yield* makeAuthenticateRequest
  const cookies = yield* makeSessionCookies
  const keys = yield* IdempotencyKeys
  const { storeUpload, discardUpload } = yield* Content
  const base = yield* PublicUrl
  const served = yield* Effect.forEach(features, ({ operations }) => operations)
  const find = makeRouteTable([...(yield* operations), ...served.flat()])
  const onExcess = validateResponses ? "error" : "ignore"
  // Responses of hosts are always validated: their services have no tests of the testkit, and typed clients would reject them.
  const validators = new Map(
    served.flat().map(({ endpoint }) => [endpoint, makeResponseValidator(endpoint, onExcess)])
  )
  const validatorOf = ({ operation: { endpoint } }: Route) =>
    validators.get(endpoint) ?? (validateResponses ? makeResponseValidator(endpoint, onExcess) : undefined)

  /**
   * Authenticates the caller of a route. Routes that admit visitors of published sites accept the token of a visitor, and
   * requests without a token.
   */
  const identify = (request: ApiRequest, { operation }: Route): Effect.Effect<Identity, Failure> => {
    const authorization = request.header("authorization")
    const token = bearerTokenOf(request)
    if (token !== undefined && isVisitorToken(token)) {
      const visitor = admitsVisitors(operation.definition.rule) ? visitorOfToken(token) : undefined
      return visitor === undefined
        ? Effect.fail(invalidVisitorToken)
        : Effect.succeed(visitorIdentity(visitor))
    }
    const user = authenticate(request)
    return authorization === undefined && admitsAnonymous(operation.definition.rule)
      ? // Credentials other than a token, such as a cookie, are not accepted from pages of other origins.
        Effect.catchTag(user, ["Unauthenticated", "Forbidden"], () => Effect.succeed(anonymousVisitor))
      : user
  }

  const handleOperation = Effect.fnUntraced(function* (
    request: ApiRequest,
    match: Extract<Match, { _tag: "Found" }>
  ): Effect.fn.Return<ApiResponse, Failure> {
    const { route } = match
    const user = yield* identify(request, route)
    if (!acceptsJson(request.header("accept"))) return notAcceptable()
    const { value, isReplayed } = yield* Effect.provideService(
      executeRequest(keys, request, match, {
        store: storeUpload,
        discard: discardUpload,
        limit: uploadLimit
      }),
      CurrentUser,
      user
    ).pipe(Effect.provideService(CurrentToken, apiTokenOf(request)))
    const mark = (response: ApiResponse) => {
      if (isReplayed) response.headers["idempotent-replayed"] = "true"
      return Effect.as(cookies.update(request, route.operation.definition.name, user, response), response)
    }
    if (route.status === 204 || route.status === 205) return yield* mark(emptyResponse(route.status))
    const isVisitor = user.visitor !== undefined
    const encoded = yield* encodeResult(
      route.operation.endpoint,
      inRequestedContract(request, value, isVisitor)
    )
    // Its declaration is that of the documents of users.
    const isDeclared = !requestsNewerContract(request) && !receivesValidDocuments(request, isVisitor)
    if (isDeclared) yield* validatorOf(route)?.(encoded.text()) ?? Effect.void
    const response =
      user.visitor === undefined
        ? successResponse(request.baseUrl ?? base, request, route, encoded, value)
        : visitorResponse(request, match, encoded, user.visitor)
    if (route.returnsSecret(value)) response.headers["cache-control"] = "no-store"
    return yield* mark(response)
  })

  return (request: ApiRequest): Effect.Effect<ApiResponse> => {
    const match = find(request.method, request.url)
    if (match._tag === "OtherMethod") return Effect.succeed(unknownMethod(request.method, match.allowed))
    if (match._tag === "Nothing") {
      return Effect.matchCauseEffect(nonApiRoutes(request), {
        onSuccess: (response) => Effect.succeed(response ?? unknownPage(request)),
        onFailure: (cause) => defectResponse(request, cause)
      })
    }
    const route = match.route.pattern
    request.onRoute?.(route)
    return Effect.matchCauseEffect(handleOperation(request, match), {
      onSuccess: (response) => Effect.succeed({ ...response, outcome: { route } }),
      onFailure: (cause) => {
        const error = cause.reasons.find(Cause.isFailReason)?.error
        if (error === undefined) return defectResponse(request, cause, route)
        const response = toResponse(error)
        // Logged for the operator: the response does not reveal why the database is unavailable.
        const outcome =
          error._tag === "StorageUnavailable" ? { route, cause, reason: error.detail } : { route }
        return Effect.succeed({ ...response, outcome })
      }
    })
  }
})
