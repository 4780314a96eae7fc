/** The ends of new tokens, which depend on the caller who creates them. */

import { type Identity, loginProviderOf } from "@lectern/access"
import { toTimestamp } from "@lectern/kernel"
import { InvalidInput } from "@lectern/model/errors"
import type { CreateOwnToken } from "@lectern/model/tokens"
import { Clock, Effect } from "effect"
import { TokenLifetimes } from "./TokenLifetimes.ts"

const dayMillis = 24 * 60 * 60 * 1_000

/** Creates the functions that return the expiry and the renewal of a new token. */
export const makeTokenEnds = Effect.gen(function* () {
  const { defaultMillis, maximumMillis } = yield* TokenLifetimes

  /**
   * Returns the expiry of a new token. Fails with `InvalidInput` if it is in the past, after the maximum lifetime, or after
   * the end of the token that creates it.
   */
  const expiryOf = Effect.fnUntraced(function* ({ expiresAt }: CreateOwnToken, { token, signIn }: Identity) {
    const time = yield* Clock.currentTimeMillis
    const creator = token?.expiresAt ?? (signIn?.provider === undefined ? undefined : signIn.expiresAt)
    const limits = [
      ...(maximumMillis === undefined ? [] : [time + maximumMillis]),
      ...(creator === undefined ? [] : [Date.parse(creator)])
    ]
    const latest = limits.length === 0 ? undefined : Math.min(...limits)
    if (expiresAt === undefined) {
      const chosen = defaultMillis === undefined ? undefined : time + defaultMillis
      const expiry = latest === undefined ? chosen : Math.min(latest, chosen ?? latest)
      return expiry === undefined ? null : toTimestamp(expiry)
    }
    if (expiresAt !== null && Date.parse(expiresAt) <= time) {
      return yield* InvalidInput.at("expiresAt", "must be in the future")
    }
    if (latest !== undefined && (expiresAt === null || Date.parse(expiresAt) > latest)) {
      return yield* InvalidInput.at(
        "expiresAt",
        `must be at most ${toTimestamp(latest)}, the end of ${
          latest === limits[0] && maximumMillis !== undefined
            ? `the maximum lifetime of ${Math.floor(maximumMillis / dayMillis)} days`
            : token?.samlProvider === undefined
              ? "the token that creates it"
              : "the single sign-on login"
        }`
      )
    }
    return expiresAt
  })

  /**
   * Returns the lifetime that a rotation of a new token starts again, or null. Fails with `InvalidInput` for a caller with an end
   * of its own, because the new token could outlive it.
   */
  const renewalOf = Effect.fnUntraced(function* (
    { renewable = false }: CreateOwnToken,
    expiresAt: string | null,
    user: Identity
  ) {
    if (!renewable) return null
    if (user.token?.expiresAt !== undefined || loginProviderOf(user) !== undefined) {
      return yield* InvalidInput.at(
        "renewable",
        "must be false for a token that ends with the token or the login that creates it"
      )
    }
    if (expiresAt === null) {
      return yield* InvalidInput.at("renewable", "must be false for a token that does not expire")
    }
    return Date.parse(expiresAt) - (yield* Clock.currentTimeMillis)
  })

  return { expiryOf, renewalOf }
})
