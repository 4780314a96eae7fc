/** Cross-origin resource sharing (CORS): allows web pages of other origins to call the API. */
import { Effect } from "effect"
import type { Dispatcher } from "./Dispatcher.ts"
import { type ApiRequest, type ApiResponse, addVary, emptyResponse } from "./messages/Message.ts"

/** How long browsers cache the response to a preflight request, in seconds: one day. */
const maxAgeSeconds = "86400"

const exposedHeaders =
  "ETag, Event-Position, Idempotent-Replayed, Location, Retry-After, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset"

/** Responds to preflight requests from `origins`, and adds CORS headers to all other responses to them. */
export const withCors = (dispatch: Dispatcher, origins: ReadonlyArray<string> | "*"): Dispatcher => {
  const allowsAll = origins === "*" || origins.includes("*")
  const allowedOrigin = (request: ApiRequest): string | undefined => {
    const origin = request.header("origin")
    if (origin === undefined) return undefined
    return allowsAll ? "*" : origins.includes(origin) ? origin : undefined
  }
  const addHeaders = (response: ApiResponse, origin: string | undefined): ApiResponse => {
    // On every response, so that caches do not serve the response of one origin to another.
    if (!allowsAll) addVary(response, "Origin")
    if (origin === undefined) return response
    response.headers["access-control-allow-origin"] = origin
    response.headers["access-control-expose-headers"] = exposedHeaders
    return response
  }
  return (request) => {
    const origin = allowedOrigin(request)
    const isPreflight =
      request.method === "OPTIONS" && request.header("access-control-request-method") !== undefined
    if (isPreflight && origin !== undefined) {
      return Effect.sync(() => {
        const response = emptyResponse(204, {
          "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
          "access-control-allow-headers":
            request.header("access-control-request-headers") ?? "Authorization, Content-Type",
          "access-control-max-age": maxAgeSeconds
        })
        return addHeaders(response, origin)
      })
    }
    return Effect.map(dispatch(request), (response) => addHeaders(response, origin))
  }
}
