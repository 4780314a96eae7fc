/** How recent the sign-in of a session must be for sensitive operations. */

import { Forbidden } from "@lectern/model/errors"
import { Clock, Effect } from "effect"
import { CurrentUser, type Identity } from "./CurrentUser.ts"

const minuteMs = 60_000

/** How long ago the sign-in can be for operations on the own account and its tokens, in milliseconds: 10 minutes. */
const accountMs = 10 * minuteMs

/** How long ago the sign-in can be for the administration of an organization, in milliseconds: an hour. */
const administrationMs = 60 * minuteMs

const requiredWithin = (period: string): Forbidden =>
  new Forbidden({
    reason: "FreshSignInRequired",
    message: `The operation requires a sign-in in the last ${period}. Sign in again, and repeat it.`
  })

/** Whether the caller signed in within a time. API tokens and the sessions of hosts are not affected. */
const isWithin = ({ signIn }: Identity, periodMs: number): Effect.Effect<boolean> =>
  Effect.map(
    Clock.currentTimeMillis,
    (time) => signIn === undefined || time - Date.parse(signIn.authenticatedAt) < periodMs
  )

const requireWithin = (periodMs: number, error: Forbidden): Effect.Effect<void, Forbidden, CurrentUser> =>
  Effect.gen(function* () {
    if (!(yield* isWithin(yield* CurrentUser, periodMs))) return yield* error
  })

/** Whether the sign-in of a session was in the last 10 minutes. API tokens and the sessions of hosts are not affected. */
export const isFreshSignIn = (identity: Identity): Effect.Effect<boolean> => isWithin(identity, accountMs)

/** Whether the sign-in of a session was in the last hour. API tokens and the sessions of hosts are not affected. */
export const isRecentSignIn = (identity: Identity): Effect.Effect<boolean> =>
  isWithin(identity, administrationMs)

/**
 * Fails with `Forbidden` if the caller has a session whose sign-in is more than 10 minutes ago, so that a browser that was left
 * open cannot be used to obtain lasting access to the account. API tokens and the sessions of hosts are not affected.
 */
export const requireFreshSignIn: Effect.Effect<void, Forbidden, CurrentUser> = requireWithin(
  accountMs,
  requiredWithin("10 minutes")
)

/**
 * Fails with `Forbidden` if the caller has a session whose sign-in is more than an hour ago, so that a browser that was left open cannot
 * be used to obtain lasting access to an organization. API tokens and the sessions of hosts are not affected.
 */
export const requireRecentSignIn: Effect.Effect<void, Forbidden, CurrentUser> = requireWithin(
  administrationMs,
  requiredWithin("hour")
)
