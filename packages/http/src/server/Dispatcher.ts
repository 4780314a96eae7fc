/**
 * From a request to a response: finds the operation, asks who calls, takes the request apart, runs the handler and
 * writes what came of it. It knows nothing of sockets; hosts bring requests and send responses.
 *
 * It stands in the place of the router that `HttpApiBuilder` makes of the same declaration, and answers more than
 * twice as many requests (see `npm run bench`): the way is short, results are in their final shape already and are
 * only written out, and no spans are made where nobody collects them.
 */
import { Authenticator, CurrentUser, Unauthenticated } from "@lectern/core"
import { Cause, Clock, Effect, LogLevel, Redacted, References } from "effect"
import { operations } from "../handlers/operations.ts"
import { defect, type Failure, notAcceptable, toResponse, unknownMethod, unknownPath } from "./failures.ts"
import { type ApiRequest, type ApiResponse, empty, json } from "./Message.ts"
import type { Pages } from "./pages.ts"
import * as RequestId from "./requestId.ts"
import * as Routes from "./routes.ts"

const bearer = /^bearer +([\x21-\x7e]{1,4096})$/i

const noToken = new Unauthenticated({
  message: "This needs an API token: send it as `Authorization: Bearer <token>`."
})

/** Whether a client that says what it accepts takes JSON. */
const takesJson = (accept: string | undefined): boolean =>
  accept === undefined || /\*\/\*|application\/(\*|json)/i.test(accept)

const locationOf = (value: unknown): string | undefined => {
  const { urls } = value as { readonly urls?: { readonly location?: string } }
  return urls?.location
}

const write = (status: number, value: unknown): ApiResponse => {
  if (status === 204 || status === 205) return empty(status)
  const location = status === 201 ? locationOf(value) : undefined
  return json(status, JSON.stringify(value), location === undefined ? {} : { location })
}

/** Answers requests. It never fails: what goes wrong is a response too. */
export type Dispatcher = (request: ApiRequest) => Effect.Effect<ApiResponse>

/** Makes the dispatcher of a workspace. Its pages are what is served beside the API itself. */
export const make = Effect.fnUntraced(function* (pages: Pages, logRequests: boolean) {
  const authenticator = yield* Authenticator
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
    const value = yield* Effect.provideService(route.operation.handle(decoded), CurrentUser, user)
    return write(route.status, value)
  })

  return (request: ApiRequest): Effect.Effect<ApiResponse> =>
    Effect.withFiber((fiber) => {
      const clock = fiber.getRef(Clock.Clock)
      const started = clock.monotonicTimeNanosUnsafe()
      const id = RequestId.of(request.header("x-request-id"))
      const match = find(request.method, request.url)
      const finish = (response: ApiResponse, cause?: Cause.Cause<never>): Effect.Effect<ApiResponse> => {
        response.headers["x-request-id"] = id
        const sent = request.method === "HEAD" ? { ...response, body: undefined } : response
        // What is not logged is not put together either.
        const isQuiet =
          !logRequests || LogLevel.isGreaterThan(fiber.getRef(References.MinimumLogLevel), "Info")
        if (cause === undefined && isQuiet) return Effect.succeed(sent)
        const log = {
          method: request.method,
          route: match._tag === "Found" ? match.route.pattern : "none",
          status: response.status,
          durationMillis: Number(clock.monotonicTimeNanosUnsafe() - started) / 1e6,
          requestId: id
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
          if (failure !== undefined) return finish(toResponse(failure.error))
          if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
          return finish(defect(id), cause as Cause.Cause<never>)
        }
      })
    })
})
