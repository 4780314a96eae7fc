/**
 * From a request to a response: finds the operation, asks who calls, takes the request apart, runs the handler and
 * writes what came of it. It knows nothing of sockets; hosts bring requests and send responses.
 *
 * It stands in the place of the router that `HttpApiBuilder` makes of the same declaration, and answers more than
 * twice as many requests (see `npm run bench`): the way is short, results are in their final shape already and are
 * only written out, and no spans are made where nobody collects them.
 */
import { Authenticator, CurrentUser, PublicUrl, Records, Unauthenticated } from "@lectern/core"
import { Cause, Clock, Effect, LogLevel, Redacted, References } from "effect"
import { operations } from "../handlers/operations.ts"
import { type Encoded, encode } from "./encode.ts"
import * as ETag from "./etag.ts"
import { defect, type Failure, notAcceptable, toResponse, unknownMethod, unknownPath } from "./failures.ts"
import { type ApiRequest, type ApiResponse, empty, json } from "./Message.ts"
import * as Preconditions from "./preconditions.ts"
import * as RequestId from "./requestId.ts"
import type { Pages } from "./routes/nonApiRoutes.ts"
import * as Routes from "./routeTable.ts"
import * as Validate from "./validateResponse.ts"

const bearer = /^bearer +([\x21-\x7e]{1,4096})$/i

const noToken = new Unauthenticated({
  message: "This needs an API token: send it as `Authorization: Bearer <token>`."
})

/** Whether a client that says what it accepts takes JSON. */
const takesJson = (accept: string | undefined): boolean =>
  accept === undefined || accept.trim() === "" || /\*\/\*|application\/(\*|json)/i.test(accept)

/** What never changes may be kept by the client for a year, which is for ever; not by those on the way to it. */
const forEver = "private, max-age=31536000, immutable"

/**
 * Where to find what was created: where it says, or below the address that it was sent to, by its id. Where that is an
 * address inside of the resource itself, the resource is what has changed.
 */
const locationOf = (base: string, url: string, value: unknown): string | undefined => {
  const { id, urls } = value as { readonly id?: string; readonly urls?: { readonly location?: string } }
  if (urls?.location !== undefined || id === undefined) return urls?.location
  const segments = url.replace(/\/?(\?.*)?$/, "").split("/")
  const own = segments.lastIndexOf(id)
  return `${base}${[...(own === -1 ? [...segments, id] : segments.slice(0, own + 1))].join("/")}`
}

/** Writes a success. A resource carries its tag; to a client that has it already, that is all that is said. */
const write = (
  base: string,
  request: ApiRequest,
  route: Routes.Route,
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
    route.isImmutable ? { etag, "cache-control": forEver } : { etag }
  const known = request.method === "PATCH" ? undefined : request.header("if-none-match")
  if (known !== undefined && ETag.names(known, etag)) return empty(304, headers())
  return json(status, body, headers())
}

/** A response to HEAD: as to GET, the length of the body too, but without the body. */
const withoutBody = (response: ApiResponse): ApiResponse => {
  if (response.body === undefined) return response
  const { length } =
    typeof response.body === "string" ? new TextEncoder().encode(response.body) : response.body
  return { ...response, headers: { ...response.headers, "content-length": String(length) }, body: undefined }
}

/** Answers requests. It never fails: what goes wrong is a response too. */
export type Dispatcher = (request: ApiRequest) => Effect.Effect<ApiResponse>

/** What a dispatcher does beside answering. */
export interface DispatcherOptions {
  /** See `HttpOptions`. */
  readonly logRequests: boolean
  /** See `HttpOptions`. */
  readonly validateResponses: boolean
}

/** Makes the dispatcher of a workspace. Its pages are what is served beside the API itself. */
export const make = Effect.fnUntraced(function* (
  pages: Pages,
  { logRequests, validateResponses }: DispatcherOptions
) {
  const authenticator = yield* Authenticator
  const records = yield* Records
  const base = yield* PublicUrl
  const find = Routes.make(yield* operations)

  const authenticate = (header: string | undefined) => {
    const token = header === undefined ? null : bearer.exec(header)
    return token === null ? Effect.fail(noToken) : authenticator.authenticate(Redacted.make(token[1]!))
  }

  const answer = Effect.fnUntraced(function* (
    request: ApiRequest,
    { route, params, query }: Extract<Routes.Match, { _tag: "Found" }>
  ): Effect.fn.Return<ApiResponse, Failure> {
    const user = yield* authenticate(request.header("authorization"))
    if (!takesJson(request.header("accept"))) return notAcceptable()
    const decoded = yield* route.decode(request, params, query)
    const change = route.operation.handle(decoded)
    const expected = route.current === undefined ? undefined : request.header("if-match")
    const whole =
      expected === undefined
        ? change
        : Preconditions.ifUnchanged(records, expected, route.current!, decoded, change)
    const value = yield* Effect.provideService(whole, CurrentUser, user)
    if (route.status === 204 || route.status === 205) return empty(route.status)
    const encoded = encode(value)
    if (validateResponses) yield* Validate.make(route.operation.endpoint)(encoded.text())
    return write(base, request, route, encoded, value)
  })

  return (request: ApiRequest): Effect.Effect<ApiResponse> =>
    Effect.withFiber((fiber) => {
      const clock = fiber.getRef(Clock.Clock)
      const started = clock.monotonicTimeNanosUnsafe()
      const id = RequestId.of(request.header("x-request-id"))
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
        return Effect.flatMap(pages(request), (page) => finish(page ?? unknownPath()))
      }
      return Effect.matchCauseEffect(answer(request, match), {
        onSuccess: (response) => finish(response),
        onFailure: (cause) => {
          const failure = cause.reasons.find(Cause.isFailReason)
          if (failure !== undefined) {
            // The caller can do nothing about the store, but whoever runs the server can.
            const { error } = failure
            return error._tag === "StorageUnavailable"
              ? finish(toResponse(error), cause, { reason: error.reason })
              : finish(toResponse(error))
          }
          if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
          return finish(defect(id), cause)
        }
      })
    })
})
