/** The second factor of sign-ins, which organizations can require of their members. */

import { type StorageUnavailable, Where } from "@lectern/kernel"
import { type MemberRow, members, type PasskeyRow, passkeys } from "@lectern/kernel/tables"
import type { Forbidden } from "@lectern/model/errors"
import { Effect } from "effect"
import { secondFactorRequired } from "../accessErrors.ts"
import type { Identity } from "../CurrentUser.ts"
import type { GrantedReader } from "../grants/Grant.ts"
import { loginProviderOf } from "../limits/identityLimits.ts"

/**
 * Whether a user has proved a second factor as far as their credentials can: a session by verifying it, a token by the passkeys of its
 * user. An identity provider of the organization, a host and an integration decide themselves.
 */
const isExempt = (identity: Identity): boolean =>
  loginProviderOf(identity) !== undefined ||
  identity.signIn?.isVerified === true ||
  identity.token?.installation !== undefined ||
  (identity.signIn === undefined && identity.token === undefined)

const hasPasskey = (records: GrantedReader, { id }: Identity): Effect.Effect<boolean, StorageUnavailable> =>
  Effect.map(
    records.first(passkeys, { select: ["id"], where: Where.eq<PasskeyRow, "user">("user", id) }),
    (passkey) => passkey !== undefined
  )

/** Whether an identity has the second factor that an organization of the user requires. */
export const hasSecondFactor = Effect.fnUntraced(function* (
  records: GrantedReader,
  identity: Identity
): Effect.fn.Return<boolean, StorageUnavailable> {
  if (isExempt(identity)) return true
  return identity.token !== undefined && (yield* hasPasskey(records, identity))
})

/** Returns the condition for the memberships of an identity that no missing second factor denies it. */
export const whereSecondFactorSatisfied = (
  records: GrantedReader,
  identity: Identity
): Where.Where<MemberRow> =>
  isExempt(identity)
    ? Where.all
    : identity.token === undefined
      ? Where.eq("secondFactor", false)
      : Where.or<MemberRow>(
          Where.eq("secondFactor", false),
          records.inSelect("user", passkeys, "user", Where.eq("user", identity.id))
        )

/**
 * Fails with `Forbidden` if a user has not proved the second factor that one of their organizations requires. Content of all
 * organizations, or a token that opens them, would otherwise be obtained without it.
 */
export const requireSecondFactor = Effect.fnUntraced(function* (
  records: GrantedReader,
  identity: Identity
): Effect.fn.Return<void, Forbidden | StorageUnavailable> {
  if (yield* hasSecondFactor(records, identity)) return
  const requiring = yield* records.first(members, {
    select: ["id"],
    where: Where.and<MemberRow>(Where.eq("user", identity.id), Where.eq("secondFactor", true))
  })
  if (requiring !== undefined) return yield* secondFactorRequired
})

/** Whether the session of an identity has not verified the passkey that its user has. */
export const lacksOwnPasskey = (
  records: GrantedReader,
  identity: Identity
): Effect.Effect<boolean, StorageUnavailable> =>
  identity.signIn === undefined || isExempt(identity) ? Effect.succeed(false) : hasPasskey(records, identity)
