/** Records that a passkey has signed a challenge. */

import type { GrantedRecords } from "@lectern/access"
import { now, type StorageUnavailable, Where } from "@lectern/kernel"
import { type PasskeyRow, passkeys } from "@lectern/kernel/tables"
import { Unauthenticated } from "@lectern/model/errors"
import type { PasskeyId } from "@lectern/model/passkeys"
import { Effect } from "effect"

/** One error for all causes, so that the sender of a forged response learns nothing about the check. */
export const invalidPasskey = new Unauthenticated({
  reason: "PasskeyInvalid",
  message: "The passkey was not accepted, or it took too long. Try again, or sign in another way."
})

/** The use of a passkey, in a verified response. */
export interface PasskeyUse {
  readonly passkey: PasskeyId
  /** The counter that the response was verified with. */
  readonly formerCounter: number
  readonly counter: number
  readonly synced: boolean
}

/**
 * Stores the counter and the time of a use, and returns the passkey. Fails with `Unauthenticated` if the passkey was removed, or if
 * the counter has not grown: then another device has a copy of it. Of two uses that were verified with one counter, one succeeds.
 */
export const usePasskey = Effect.fnUntraced(function* (
  records: GrantedRecords,
  { passkey, formerCounter, counter, synced }: PasskeyUse
): Effect.fn.Return<PasskeyRow, Unauthenticated | StorageUnavailable> {
  const row = yield* records.get(passkeys, { id: passkey })
  if (row === undefined) return yield* invalidPasskey
  const hasGrown = counter > row.counter || (counter === 0 && row.counter === 0)
  const changed = hasGrown
    ? yield* records.update(
        passkeys,
        Where.and<PasskeyRow>(Where.eq("id", passkey), Where.eq("counter", formerCounter)),
        { counter, isSynced: synced, lastUsedAt: yield* now }
      )
    : 0
  return changed === 0 ? yield* invalidPasskey : row
})
