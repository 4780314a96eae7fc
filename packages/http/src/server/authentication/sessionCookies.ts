/** Sets and removes the cookies of sessions. */
import {
  acceptsSessions,
  formatSessionCookie,
  type Identity,
  InsecureSessions,
  PublicUrl,
  readSessionCookie,
  SignIns,
  type StartedSession,
  type StorageUnavailable,
  sessionCookieOf
} from "@lectern/core"
import { Clock, Effect, Redacted } from "effect"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"

type CookieRequest = Pick<ApiRequest, "header" | "baseUrl">

/** The operations after which the browser has no session. */
const signOuts = new Set(["Sessions.signOut", "Sessions.signOutEverywhere"])

const secondsUntil = (time: string): Effect.Effect<number> =>
  Effect.map(Clock.currentTimeMillis, (now) => Math.max(0, Math.ceil((Date.parse(time) - now) / 1_000)))

/** Creates the functions on the cookies of sessions. */
export const makeSessionCookies = Effect.gen(function* () {
  const signIns = yield* SignIns
  const publicUrl = yield* PublicUrl
  const isInsecureAllowed = yield* InsecureSessions

  const cookieOf = ({ baseUrl }: CookieRequest) => sessionCookieOf(baseUrl ?? publicUrl)

  const removed = (request: CookieRequest): string => formatSessionCookie(cookieOf(request), "", 0)

  return {
    /** Whether the server accepts sessions of requests to this host. */
    isAvailable: (request: CookieRequest): boolean =>
      acceptsSessions(cookieOf(request), request.header("host"), isInsecureAllowed),

    /** Whether browsers send the cookie only over https. */
    isSecure: (request: CookieRequest): boolean => cookieOf(request).isSecure,

    /** Returns the secret of the session of a request; undefined without one. */
    read: (request: CookieRequest): string | undefined =>
      readSessionCookie(cookieOf(request), request.header("cookie")),

    /** Returns the header that starts a session. */
    started: (request: CookieRequest, { secret, expiresAt }: StartedSession): Effect.Effect<string> =>
      Effect.map(secondsUntil(expiresAt), (seconds) =>
        formatSessionCookie(cookieOf(request), Redacted.value(secret), seconds)
      ),

    /** Returns the header that removes the cookie. */
    removed,

    /** Adds the cookie to the response to a caller with a session: removed after a sign-out, and with a new secret if it is due. */
    update: Effect.fnUntraced(function* (
      request: CookieRequest,
      operation: string,
      { id: user, signIn }: Identity,
      response: ApiResponse
    ): Effect.fn.Return<void, StorageUnavailable> {
      if (signIn === undefined) return
      if (signOuts.has(operation)) {
        response.headers["set-cookie"] = removed(request)
        // Responses in the cache of the browser belong to the user who has signed out.
        response.headers["clear-site-data"] = '"cache"'
      } else if (signIn.isRotationDue) {
        const secret = yield* Effect.catchTag(
          signIns.rotate({ session: signIn.id, user }),
          "InvalidInput",
          Effect.die
        )
        if (secret === undefined) return
        response.headers["set-cookie"] = formatSessionCookie(
          cookieOf(request),
          Redacted.value(secret),
          yield* secondsUntil(signIn.expiresAt)
        )
      }
    })
  }
})

/** The functions on the cookies of sessions. */
export interface SessionCookies extends Effect.Success<typeof makeSessionCookies> {}
