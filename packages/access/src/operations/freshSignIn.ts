/** Requires a recent sign-in for sensitive operations. */

import { Forbidden } from "@lectern/model/errors"
import { Clock, Effect } from "effect"
import { requireUnlimited } from "../accessErrors.ts"
import { CurrentUser, type Identity } from "../CurrentUser.ts"
import { alsoRequiring } from "./Authorization.ts"

/** How long ago the sign-in of a sensitive operation can be, in milliseconds: 10 minutes. */
const freshMillis = 10 * 60 * 1_000

const freshSignInRequired = new Forbidden({
  reason: "FreshSignInRequired",
  message: "The operation requires a sign-in in the last 10 minutes. Sign in again, and repeat it."
})

/** Whether the sign-in of a session was in the last 10 minutes. API tokens and the sessions of hosts are not affected. */
export const isFreshSignIn = ({ signIn }: Identity): Effect.Effect<boolean> =>
  Effect.map(
    Clock.currentTimeMillis,
    (time) => signIn === undefined || time - Date.parse(signIn.authenticatedAt) < freshMillis
  )

/**
 * Fails with `Forbidden` if the caller has a session whose sign-in is more than 10 minutes ago, so that a browser that was left
 * open cannot be used to obtain lasting access. API tokens and the sessions of hosts are not affected.
 */
const requireFreshSignIn: Effect.Effect<void, Forbidden, CurrentUser> = Effect.gen(function* () {
  if (!(yield* isFreshSignIn(yield* CurrentUser))) return yield* freshSignInRequired
})

/** Requires a recent sign-in of callers whom another authorization admits. */
export const withFreshSignIn = alsoRequiring(requireFreshSignIn)

/**
 * Fails with `Forbidden` unless the caller can change how members join and sign in, which decides who has access from then on: with a
 * recent sign-in, and not with a token that is limited to permissions.
 */
export const requireSignInSettings: Effect.Effect<void, Forbidden, CurrentUser> = Effect.andThen(
  requireUnlimited,
  requireFreshSignIn
)

/** Requires {@link requireSignInSettings} of callers whom another authorization admits. */
export const withSignInSettings = alsoRequiring(requireSignInSettings, { changesSignIn: true })
