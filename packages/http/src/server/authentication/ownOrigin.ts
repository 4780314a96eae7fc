/**
 * Rejects credentials that a browser has added automatically to a request of another website, such as cookies. Programs of other
 * origins send an API token in the header `Authorization`, which browsers do not add.
 */
import { Forbidden, PublicUrl } from "@lectern/core"
import { Context, Effect } from "effect"
import type { ApiRequest } from "../messages/Message.ts"

/** Whether requests of other origins are accepted without the header `Authorization`; `false` by default. */
export const AcceptsCrossOriginCredentials = Context.Reference<boolean>(
  "@lectern/http/AcceptsCrossOriginCredentials",
  { defaultValue: () => false }
)

/** The error of a request of another origin whose credentials a browser has added. */
export const crossOriginRequest = new Forbidden({
  reason: "CrossOriginRequest",
  message:
    "The request was sent by a page of another origin, for which sessions are not accepted. Send an API token as `Authorization: Bearer <token>`."
})

const isRead = (method: string): boolean => method === "GET" || method === "HEAD"

/** The parts of a request that show which page has sent it. */
export type RequestOrigin = Pick<ApiRequest, "method" | "header" | "baseUrl">

/** Whether an `Origin` header has the origin of the server: the host of the request, and https if the server is on https. */
const isOriginOf = (origin: string, request: RequestOrigin, publicUrl: string): boolean => {
  const parsed = URL.parse(origin)
  if (parsed === null) return false
  const base = request.baseUrl ?? publicUrl
  if (parsed.origin === new URL(base).origin) return true
  const host = request.baseUrl === undefined ? request.header("host") : new URL(request.baseUrl).host
  return parsed.host === host && (parsed.protocol === "https:" || !base.startsWith("https:"))
}

/**
 * Whether a page of this server has sent a request, or no page. Browsers send `Sec-Fetch-Site` to trustworthy URLs, and `Origin`
 * with each request that is not a plain GET. A write with cookies and with neither header is rejected.
 */
export const isOwnOrigin = (request: RequestOrigin, publicUrl: string): boolean => {
  const { header, method } = request
  const site = header("sec-fetch-site")
  // `none` is a request that the user has started, as in the address bar. No page can send it.
  if (site !== undefined) return site === "same-origin" || (site === "none" && isRead(method))
  const origin = header("origin")
  if (origin !== undefined) return isOriginOf(origin, request, publicUrl)
  return isRead(method) || header("cookie") === undefined
}

/** Creates the function that fails with `Forbidden` if a page of another origin has sent a request without `Authorization`. */
export const makeRequireOwnOrigin = Effect.gen(function* () {
  const isOff = yield* AcceptsCrossOriginCredentials
  const publicUrl = yield* PublicUrl
  return (request: RequestOrigin): Effect.Effect<void, Forbidden> =>
    isOff || request.header("authorization") !== undefined || isOwnOrigin(request, publicUrl)
      ? Effect.void
      : Effect.fail(crossOriginRequest)
})
