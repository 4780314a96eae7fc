/**
 * Turns requests of the API into responses: matches the operation, authenticates the caller, decodes the request, runs
 * the handler and encodes its result. It is independent of sockets; hosts bring requests and send responses.
 *
 * It replaces the router that `HttpApiBuilder` builds from the same declaration: results are in their encoded shape
 * already and are written out without an encoder, and no spans are created.
 */
import { Authenticator, CurrentUser, PublicUrl, Records } from "@lectern/core"
import { Cause, Clock, Effect, LogLevel, Redacted, References } from "effect"
import { operations } from "../handlers/operations.ts"
import { type Encoded, encode } from "./encode.ts"
import { matchesEtag } from "./messages/etag.ts"
import {
  defect,
  type Failure,
  notAcceptable,
  toResponse,
  unknownMethod,
  unknownPath
} from "./messages/failures.ts"
import { type ApiRequest, type ApiResponse, empty, json } from "./messages/Message.ts"
import { requestIdOf } from "./messages/requestId.ts"
import { ifUnchanged } from "./preconditions.ts"
import type { NonApiRoutes } from "./routes/nonApiRoutes.ts"
import { type Match, makeRouteTable, type Route } from "./routeTable.ts"
import { makeResponseValidator } from "./validateResponse.ts"

const bearer = /^bearer +([\x21-\x7e]{1,4096})$/i

/** Whether the `Accept` header of a request allows JSON. */
const takesJson = (accept: string | undefined): boolean =>
  accept === undefined || accept.trim() === "" || /\*\/\*|application\/(\*|json)/i.test(accept)

/** A client may cache what never changes for a year, the longest that caches honor; shared caches may not. */
const immutableCaching = "private, max-age=31536000, immutable"

/**
 * The address of a created resource: the one that it carries, or its id below the address of the request. Where that
 * address is inside of the resource itself, the resource is what has changed.
 */
const locationOf = (base: string, url: string, value: unknown): string | undefined => {
  const { id, urls } = value as { readonly id?: string; readonly urls?: { readonly location?: string } }
  if (urls?.location !== undefined || id === undefined) return urls?.location
  const segments = url.replace(/\/?(\?.*)?$/, "").split("/")
  const own = segments.lastIndexOf(id)
  return `${base}${[...(own === -1 ? [...segments, id] : segments.slice(0, own + 1))].join("/")}`
}

/** Encodes a success. A resource carries its tag; a client that sends that tag gets 304 without a body. */
const write = (
  base: string,
  request: ApiRequest,
  route: Route,
  encoded: Encoded,
  value: unknown
): ApiResponse => {
  const { status } = route
  const { body } = encoded
  if (status === 201) {
    const location = locationOf(base, request.url, value)
    return json(status, body, location === undefined ? {} : { location })
  }
  if (!route.isTagged) return json(status, body)
  const etag = encoded.etag()
  const headers = (): Record<string, string> =>
    route.isImmutable ? { etag, "cache-control": immutableCaching } : { etag }
  const known = request.method === "PATCH" ? undefined : request.header("if-none-match")
  if (known !== undefined && matchesEtag(known, etag)) return empty(304, headers())
  return json(status, body, headers())
}

/** A response to HEAD: as to GET, the length of the body too, but without the body. */
const withoutBody = (response: ApiResponse): ApiResponse => {
  if (response.body === undefined) return response
  const { length } =
    typeof response.body === "string" ? new TextEncoder().encode(response.body) : response.body
  return { ...response, headers: { ...response.headers, "content-length": String(length) }, body: undefined }
}

/** Handles requests. It never fails: failures become responses too. */
export type Dispatcher = (request: ApiRequest) => Effect.Effect<ApiResponse>

/** Options of a dispatcher. */
export interface DispatcherOptions {
  /** See `HttpOptions`. */
  readonly logRequests: boolean
  /** See `HttpOptions`. */
  readonly validateResponses: boolean
}

/** Creates the dispatcher of a workspace. Requests that match no operation go to `nonApiRoutes`. */
export const makeApiDispatcher = Effect.fnUntraced(function* (
  nonApiRoutes: NonApiRoutes,
  { logRequests, validateResponses }: DispatcherOptions
) {
  const authenticator = yield* Authenticator
  const records = yield* Records
  const base = yield* PublicUrl
  const find = makeRouteTable(yield* operations)

  const authenticate = ({ header, method, url }: ApiRequest) => {
    const token = bearer.exec(header("authorization") ?? "")?.[1]
    return authenticator.authenticate({
      token: token === undefined ? undefined : Redacted.make(token),
      header: (name) => header(name.toLowerCase()),
      method,
      url
    })
  }

  const answer = Effect.fnUntraced(function* (
    request: ApiRequest,
    { route, params, query }: Extract<Match, { _tag: "Found" }>
  ): Effect.fn.Return<ApiResponse, Failure> {
    const user = yield* authenticate(request)
    if (!takesJson(request.header("accept"))) return notAcceptable()
    const decoded = yield* Effect.catchTag(
      route.decode(request, params, query),
      "InvalidRequest",
      (invalid) =>
        // A caller who may not know of the resource, or may not do this to it, learns that before anything else.
        Effect.andThen(
          invalid.target === undefined
            ? Effect.void
            : Effect.provideService(route.operation.authorize(invalid.target), CurrentUser, user),
          Effect.fail(invalid.error)
        )
    )
    const change = route.operation.handle(decoded)
    const expected = route.current === undefined ? undefined : request.header("if-match")
    const whole =
      expected === undefined ? change : ifUnchanged(records, expected, route.current!, decoded, change)
    const value = yield* Effect.provideService(whole, CurrentUser, user)
    if (route.status === 204 || route.status === 205) return empty(route.status)
    const encoded = encode(value)
    if (validateResponses) yield* makeResponseValidator(route.operation.endpoint)(encoded.text())
    return write(base, request, route, encoded, value)
  })

  return (request: ApiRequest): Effect.Effect<ApiResponse> =>
    Effect.withFiber((fiber) => {
      const clock = fiber.getRef(Clock.Clock)
      const started = clock.monotonicTimeNanosUnsafe()
      const id = requestIdOf(request.header("x-request-id"))
      const match = find(request.method, request.url)
      const finish = (
        response: ApiResponse,
        cause?: Cause.Cause<unknown>,
        more?: { readonly reason: string }
      ): Effect.Effect<ApiResponse> => {
        response.headers["x-request-id"] = id
        const sent = request.method === "HEAD" ? withoutBody(response) : response
        // What is not logged is not put together either.
        const isQuiet =
          !logRequests || LogLevel.isGreaterThan(fiber.getRef(References.MinimumLogLevel), "Info")
        if (cause === undefined && isQuiet) return Effect.succeed(sent)
        const log = {
          method: request.method,
          route: match._tag === "Found" ? match.route.pattern : "none",
          status: response.status,
          durationMillis: Number(clock.monotonicTimeNanosUnsafe() - started) / 1e6,
          requestId: id,
          ...more
        }
        return Effect.as(
          Effect.annotateLogs(
            cause === undefined ? Effect.logInfo("request") : Effect.logError("request", cause),
            log
          ),
          sent
        )
      }
      if (match._tag === "OtherMethod") return finish(unknownMethod(request.method, match.allowed))
      if (match._tag === "Nothing") {
        return Effect.flatMap(nonApiRoutes(request), (response) => finish(response ?? unknownPath()))
      }
      return Effect.matchCauseEffect(answer(request, match), {
        onSuccess: (response) => finish(response),
        onFailure: (cause) => {
          const failure = cause.reasons.find(Cause.isFailReason)
          if (failure !== undefined) {
            // The caller can do nothing about the store, but whoever runs the server can.
            const { error } = failure
            return error._tag === "StorageUnavailable"
              ? finish(toResponse(error), cause, { reason: error.detail })
              : finish(toResponse(error))
          }
          if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
          return finish(defect(id), cause)
        }
      })
    })
})
