/**
 * The routes of OpenID Connect: `…/start` redirects to the provider, and `…/callback` signs the user in. Each provider has a
 * callback of its own, so that the response of one provider is never accepted for another.
 */
import { createHash } from "node:crypto"
import {
  HostSignIn,
  type LecternError,
  type OidcClientSettings,
  OidcLogins,
  oidcPath,
  oidcRedirectUrl,
  PublicUrl,
  Unauthenticated
} from "@lectern/core"
import { Effect } from "effect"
import { makeSessionCookies } from "../server/authentication/sessionCookies.ts"
import { unknownMethod, unknownPath } from "../server/messages/failures.ts"
import { type ApiRequest, type ApiResponse, emptyResponse } from "../server/messages/Message.ts"
import type { Route } from "../server/routes/Route.ts"
import {
  expiredBrowserCookie,
  formatBrowserCookie,
  newBrowserSecret,
  readBrowserCookie
} from "../signIn/browserCookie.ts"
import { clientOf } from "../signIn/clientOf.ts"
import { confirmReplacement } from "../signIn/confirmReplacement.ts"
import { renderFailurePage } from "../signIn/failurePage.ts"
import { signInHeaders } from "../signIn/page.ts"
import { relativeTo, returnPath } from "../signIn/returnPath.ts"
import type { makeLoadClient } from "./loadClient.ts"

/** The maximum length of the query of a callback, in characters. */
const maximumQueryLength = 8_192

const digestOf = (secret: string): string => createHash("sha256").update(secret).digest("hex")

const unverifiedAddress = new Unauthenticated({
  reason: "LoginRefused",
  message: "The identity provider has not verified your e-mail address."
})

/** Creates the routes of OpenID Connect. */
export const makeOidcRoutes = Effect.fnUntraced(function* (
  loadClient: Effect.Success<typeof makeLoadClient>
) {
  const logins = yield* OidcLogins
  const cookies = yield* makeSessionCookies
  const publicUrl = yield* PublicUrl
  const isOff = (yield* HostSignIn) !== undefined

  const start = Effect.fnUntraced(function* (provider: string, request: ApiRequest, search: string) {
    const secret = newBrowserSecret()
    const returnTo = returnPath(new URLSearchParams(search).get("return"))
    const { settings, ...login } = yield* logins.begin({ provider, input: { browser: digestOf(secret) } })
    const confirmation = confirmReplacement(request, cookies, publicUrl, { label: settings.label, returnTo })
    if (confirmation !== undefined) return confirmation
    const location = yield* (yield* loadClient).authorizationUrl(
      settings,
      login,
      // A browser with a session signs in again: the session of the provider does not prove who uses it.
      { redirectUrl: oidcRedirectUrl(publicUrl, provider), isRepeated: cookies.read(request) !== undefined }
    )
    return emptyResponse(302, {
      ...signInHeaders(),
      location,
      "set-cookie": formatBrowserCookie(secret, returnTo, cookies.isSecure(request))
    })
  })

  const identify = Effect.fnUntraced(function* (
    settings: OidcClientSettings,
    login: { readonly state: string; readonly nonce: string; readonly verifier: string },
    search: string
  ) {
    const responseUrl = new URL(`${oidcRedirectUrl(publicUrl, settings.id)}?${search}`)
    const identity = yield* (yield* loadClient).identify(settings, login, responseUrl)
    return identity ?? (yield* unverifiedAddress)
  })

  const finish = Effect.fnUntraced(function* (provider: string, request: ApiRequest, search: string) {
    const browser = readBrowserCookie(request.header("cookie"), cookies.isSecure(request))
    const state = new URLSearchParams(search).get("state") ?? ""
    const { settings, ...login } = yield* logins.resume({
      provider,
      input: { state, browser: digestOf(browser?.secret ?? "") }
    })
    const identity = yield* identify(settings, login, search)
    const session = yield* logins.finish({
      provider,
      input: { ...identity, client: clientOf(request, cookies.read(request)) }
    })
    const response: ApiResponse = emptyResponse(303, {
      ...signInHeaders(),
      location: relativeTo(3, returnPath(browser?.returnTo)),
      "set-cookie": yield* cookies.started(request, session)
    })
    return response
  })

  /** Renders the page of a failed login, which ends the login of the browser. */
  const failurePage = (request: ApiRequest, error: LecternError): ApiResponse => {
    const page = renderFailurePage(request, error)
    page.headers["set-cookie"] = expiredBrowserCookie(cookies.isSecure(request))
    return page
  }

  const route: Route = (request) => {
    const [path = "", search = ""] = request.url.split("?", 2)
    const [provider = "", action = "", ...rest] = path.slice(oidcPath.length).split("/")
    const isKnown = (action === "start" || action === "callback") && rest.length === 0
    if (isOff || !isKnown || search.length > maximumQueryLength) return Effect.succeed(unknownPath())
    if (request.method !== "GET") return Effect.succeed(unknownMethod(request.method, ["GET"]))
    if (!cookies.isAvailable(request)) return Effect.succeed(unknownPath())
    return Effect.catch(
      action === "start" ? start(provider, request, search) : finish(provider, request, search),
      (error: LecternError) => Effect.succeed(failurePage(request, error))
    )
  }
  return route
})
