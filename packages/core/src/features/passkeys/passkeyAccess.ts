/** Authorizations of operations on passkeys. */

import {
  type AccessError,
  type Authorization,
  CurrentUser,
  type Granted,
  type Identity,
  Operations,
  type SignIn,
  withFreshSignIn,
  withOwnPasskey
} from "@lectern/access"
import type { PasskeyRow } from "@lectern/kernel/tables"
import { Effect } from "effect"
import { passkeysOf, sessionRequired } from "./passkeyRules.ts"

/** The caller, whose session opens the whole account. */
export interface WithSession extends Granted {
  readonly user: Identity
  readonly signIn: SignIn
}

/** Creates the authorizations of callers with a session: of any, and of one that was started a short time ago. */
export const makePasskeyAccess = Effect.gen(function* () {
  const { allow } = yield* Operations
  const signedIn = allow.signedIn("the caller's own passkeys, by a session")

  const allowSession: Authorization<unknown, WithSession, AccessError> = {
    rule: signedIn.rule,
    check: Effect.fnUntraced(function* () {
      const { grant, user } = yield* signedIn.check({})
      const { signIn, organization, token } = yield* CurrentUser
      if (signIn === undefined || organization !== undefined || token !== undefined)
        return yield* sessionRequired
      return { grant, user, signIn }
    })
  }

  /** Admits a session that has verified a second factor if the user has a passkey. */
  const allowVerified = withOwnPasskey(allowSession)

  /** Admits a session that may change the credentials of the account. */
  const allowManaging = withFreshSignIn<
    unknown,
    WithSession & { readonly existing: ReadonlyArray<PasskeyRow> },
    AccessError,
    CurrentUser
  >({
    rule: signedIn.rule,
    check: Effect.fnUntraced(function* (target) {
      const session = yield* allowVerified.check(target)
      const existing = yield* passkeysOf(session.grant.records, session.user.id)
      return { ...session, existing }
    })
  })

  return { allowSession, allowVerified, allowManaging }
})
