/** Whether invite links can be used. */

import type { GrantedReader } from "@lectern/access"
import type { StorageUnavailable } from "@lectern/kernel"
import { type InviteRow, members } from "@lectern/kernel/tables"
import { Gone } from "@lectern/model/errors"
import { isAtLeast } from "@lectern/model/roles"
import { Clock, Effect } from "effect"

const expired = (message: string) => new Gone({ reason: "InviteExpired", message })

/** Fails with `Gone` if a link can no longer be used, or if its inviter can no longer grant its role. */
export const requireUsable = Effect.fnUntraced(function* (
  records: GrantedReader,
  { organization, role, createdBy, expiresAt, maximumUses, uses }: InviteRow
): Effect.fn.Return<void, Gone | StorageUnavailable> {
  if (expiresAt !== null && Date.parse(expiresAt) <= (yield* Clock.currentTimeMillis)) {
    return yield* expired("The invite link has expired. Ask an administrator for a new one.")
  }
  if (maximumUses !== null && uses >= maximumUses) {
    return yield* expired(
      "The invite link was used as often as it can be. Ask an administrator for a new one."
    )
  }
  const inviter = yield* records.get(members, { organization, user: createdBy }, ["role", "disabled"])
  if (inviter === undefined || inviter.disabled || (role !== null && !isAtLeast(inviter.role, role))) {
    return yield* expired(
      "The member who created the invite link can no longer grant its role. Ask an administrator for a new one."
    )
  }
})
