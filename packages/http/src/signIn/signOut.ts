/** Ends the session of a browser, and its session at the OpenID Connect provider. */
import {
  CurrentUser,
  languageOf,
  OidcLogins,
  type OidcLogout,
  oidcLogoutUrl,
  PublicUrl,
  Sessions
} from "@lectern/core"
import { Effect } from "effect"
import type { makeLoadClient } from "../oidc/loadClient.ts"
import { makeAuthenticateRequest } from "../server/authentication/authenticateRequest.ts"
import { isOwnOrigin } from "../server/authentication/ownOrigin.ts"
import { makeSessionCookies } from "../server/authentication/sessionCookies.ts"
import { type ApiRequest, type ApiResponse, emptyResponse, jsonResponse } from "../server/messages/Message.ts"
import { linkButton, paragraph, renderSignInPage, signInHeaders } from "./page.ts"
import { signInTexts } from "./texts.ts"

const acceptsJson = (request: ApiRequest): boolean =>
  /^application\/json/i.test(request.header("accept") ?? "")

/**
 * Creates the function that signs out. The browser then continues at the provider, if the session was started by one that
 * supports logouts: by a page that refreshes, because policies for forms also restrict where their responses redirect to.
 * A program of a page that accepts JSON receives the URL instead.
 */
export const makeSignOut = Effect.fnUntraced(function* (loadClient: Effect.Success<typeof makeLoadClient>) {
  const sessions = yield* Sessions
  const logins = yield* OidcLogins
  const cookies = yield* makeSessionCookies
  const authenticate = yield* makeAuthenticateRequest
  const publicUrl = yield* PublicUrl

  /** Returns the URL at which a session at a provider ends. A provider that fails does not prevent a logout. */
  const providerUrlOf = Effect.fnUntraced(function* ({ settings, idToken }: OidcLogout) {
    const client = yield* loadClient
    return yield* Effect.catchTag(
      client.endSessionUrl(settings, idToken, oidcLogoutUrl(publicUrl)),
      "UpstreamFailed",
      () => Effect.succeed(undefined)
    )
  })

  const respond = (request: ApiRequest, url: string | undefined, cookie: string): ApiResponse => {
    const headers = { ...signInHeaders(), "set-cookie": cookie, "clear-site-data": '"cache"' }
    if (acceptsJson(request)) {
      return jsonResponse(200, JSON.stringify(url === undefined ? {} : { url }), headers)
    }
    if (url === undefined) return emptyResponse(303, { ...headers, location: "login" })
    const language = languageOf(request.header("accept-language"))
    const texts = signInTexts[language]
    const page = renderSignInPage({
      language,
      title: texts.signOut,
      body: paragraph(texts.signedOut) + linkButton(url, texts.signOutAtProvider),
      refreshTo: url
    })
    Object.assign(page.headers, headers)
    return page
  }

  return Effect.fnUntraced(function* (request: ApiRequest) {
    if (request.method !== "POST" || !isOwnOrigin(request, publicUrl)) {
      return emptyResponse(303, { ...signInHeaders(), location: "login" })
    }
    const user = yield* Effect.catchTag(authenticate(request), ["Unauthenticated", "Forbidden"], () =>
      Effect.succeed(undefined)
    )
    const logout =
      user?.signIn === undefined ? undefined : yield* logins.readLogout({ session: user.signIn.id })
    // Before the provider is requested, which can take seconds.
    if (user !== undefined) yield* Effect.provideService(sessions.signOut({}), CurrentUser, user)
    const url = logout === undefined ? undefined : yield* providerUrlOf(logout)
    return respond(request, url, cookies.removed(request))
  })
})
