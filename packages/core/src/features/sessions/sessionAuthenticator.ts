/** Authenticates requests by API tokens, and requests without the header `Authorization` by sessions. */

import { Authenticator } from "@lectern/access"
import {
  acceptsSessions,
  InsecureSessions,
  makeLinkBase,
  readSessionCookie,
  sessionCookieOf
} from "@lectern/kernel"
import { Unauthenticated } from "@lectern/model/errors"
import { Effect, Layer, Redacted } from "effect"
import { ApiTokens } from "../tokens/ApiTokens.ts"
import { SignIns } from "./SignIns.ts"

const missingCredentials = new Unauthenticated({
  reason: "TokenMissing",
  message:
    "The request has no API token and no session. Send a token as `Authorization: Bearer <token>`, or sign in."
})

/** The default `Authenticator`: API tokens, and sessions of people who have signed in. */
export const sessionAuthenticator: Layer.Layer<Authenticator, never, ApiTokens | SignIns> = Layer.effect(
  Authenticator,
  Effect.gen(function* () {
    const tokens = yield* ApiTokens
    const signIns = yield* SignIns
    const linkBase = yield* makeLinkBase
    const isInsecureAllowed = yield* InsecureSessions
    return Authenticator.of({
      authenticate: ({ token, header }) =>
        Effect.gen(function* () {
          if (token !== undefined) return yield* tokens.authenticate(token)
          if (header("authorization") !== undefined) return yield* missingCredentials
          const cookie = sessionCookieOf(yield* linkBase)
          const secret = acceptsSessions(cookie, header("host"), isInsecureAllowed)
            ? readSessionCookie(cookie, header("cookie"))
            : undefined
          return secret === undefined
            ? yield* missingCredentials
            : yield* signIns.authenticate(Redacted.make(secret))
        })
    })
  })
)
