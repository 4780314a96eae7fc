/** Requires a recent sign-in for sensitive operations. */

import type { Forbidden } from "@lectern/model/errors"
import { Effect } from "effect"
import { requireUnlimited } from "../accessErrors.ts"
import type { CurrentUser } from "../CurrentUser.ts"
import { requireFreshSignIn, requireRecentSignIn } from "../recentSignIn.ts"
import { alsoRequiring } from "./Authorization.ts"

/** Requires a sign-in in the last 10 minutes of callers whom another authorization admits, for operations on their account. */
export const withFreshSignIn = alsoRequiring(requireFreshSignIn)

/** Requires a sign-in in the last hour of callers whom another authorization admits, for the administration of an organization. */
export const withRecentSignIn = alsoRequiring(requireRecentSignIn)

/**
 * Fails with `Forbidden` unless the caller can change how members join and sign in, which decides who has access from then on: with a
 * sign-in in the last hour, and not with a token that is limited to permissions.
 */
export const requireSignInSettings: Effect.Effect<void, Forbidden, CurrentUser> = Effect.andThen(
  requireUnlimited,
  requireRecentSignIn
)

/** Requires {@link requireSignInSettings} of callers whom another authorization admits. */
export const withSignInSettings = alsoRequiring(requireSignInSettings, { changesSignIn: true })
