/** Allows web pages of other origins to call the API (CORS). */
import { Effect } from "effect"
import type { Dispatcher } from "./Dispatcher.ts"
import { type ApiRequest, type ApiResponse, empty } from "./messages/Message.ts"
import { withRequestId } from "./messages/requestId.ts"

/** How long a browser caches the response to a preflight request, in seconds: a day. */
const maxAge = "86400"

const exposed =
  "ETag, Location, Retry-After, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset"

/** Responds to preflight requests of the origins, and adds CORS headers to all other responses. */
export const withCors = (dispatch: Dispatcher, origins: ReadonlyArray<string> | "*"): Dispatcher => {
  const isOpen = origins === "*" || origins.includes("*")
  const allowed = (request: ApiRequest): string | undefined => {
    const origin = request.header("origin")
    if (origin === undefined) return undefined
    return isOpen ? "*" : origins.includes(origin) ? origin : undefined
  }
  const mark = (response: ApiResponse, origin: string | undefined): ApiResponse => {
    // Sent to every origin, so that no cache serves the response of one origin to another.
    if (!isOpen) response.headers.vary = "Origin"
    if (origin === undefined) return response
    response.headers["access-control-allow-origin"] = origin
    response.headers["access-control-expose-headers"] = exposed
    return response
  }
  return (request) => {
    const origin = allowed(request)
    const asks = request.method === "OPTIONS" && request.header("access-control-request-method") !== undefined
    if (asks && origin !== undefined) {
      return Effect.sync(() => {
        const response = empty(204, {
          "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
          "access-control-allow-headers":
            request.header("access-control-request-headers") ?? "Authorization, Content-Type",
          "access-control-max-age": maxAge
        })
        return withRequestId(mark(response, origin), request.header("x-request-id"))
      })
    }
    return Effect.map(dispatch(request), (response) => mark(response, origin))
  }
}
