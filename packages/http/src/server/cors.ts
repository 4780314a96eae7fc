/** Lets web pages of other origins call the API. */
import { Effect } from "effect"
import type { Dispatcher } from "./Dispatcher.ts"
import { type ApiRequest, type ApiResponse, empty } from "./Message.ts"

/** How long a browser remembers what it may do, in seconds: a day. */
const maxAge = "86400"

const exposed =
  "ETag, Location, Retry-After, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset"

/** Answers preflight requests of the origins, and marks answers to them as theirs to read. */
export const withCors = (dispatch: Dispatcher, origins: ReadonlyArray<string> | "*"): Dispatcher => {
  const allowed = (request: ApiRequest): string | undefined => {
    const origin = request.header("origin")
    if (origin === undefined) return undefined
    if (origins === "*" || origins.includes("*")) return "*"
    return origins.includes(origin) ? origin : undefined
  }
  const mark = (response: ApiResponse, origin: string): ApiResponse => {
    response.headers["access-control-allow-origin"] = origin
    response.headers["access-control-expose-headers"] = exposed
    if (origin !== "*") response.headers.vary = "Origin"
    return response
  }
  return (request) => {
    const origin = allowed(request)
    if (origin === undefined) return dispatch(request)
    if (request.method === "OPTIONS" && request.header("access-control-request-method") !== undefined) {
      return Effect.sync(() =>
        mark(
          empty(204, {
            "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
            "access-control-allow-headers":
              request.header("access-control-request-headers") ?? "Authorization, Content-Type",
            "access-control-max-age": maxAge
          }),
          origin
        )
      )
    }
    return Effect.map(dispatch(request), (response) => mark(response, origin))
  }
}
