/** Bounds how many recovery codes can be guessed. */

import type { GrantedReader, GrantedRecords } from "@lectern/access"
import { type StorageUnavailable, toTimestamp, Where } from "@lectern/kernel"
import { type RecoveryFailureRow, recoveryFailures } from "@lectern/kernel/tables"
import { Unauthenticated } from "@lectern/model/errors"
import type { UserId } from "@lectern/model/users"
import { Clock, Effect } from "effect"

/** The maximum number of wrong codes of a user in an hour. Only a session of the user can enter one. */
export const maximumFailures = 10

const windowMillis = 60 * 60 * 1_000

const tooManyFailures = new Unauthenticated({
  reason: "RecoveryCodeInvalid",
  message: `${maximumFailures} wrong recovery codes were entered. Use a passkey, or try again in an hour.`
})

/** Returns the wrong codes of the current hour; undefined for none. */
const currentFailures = Effect.fnUntraced(function* (
  records: GrantedReader,
  user: UserId
): Effect.fn.Return<RecoveryFailureRow | undefined, StorageUnavailable> {
  const row = yield* records.get(recoveryFailures, { user })
  const since = (yield* Clock.currentTimeMillis) - windowMillis
  return row === undefined || Date.parse(row.startedAt) <= since ? undefined : row
})

/** Fails with `Unauthenticated` if too many wrong codes were entered. */
export const requireAttempt = Effect.fnUntraced(function* (
  records: GrantedReader,
  user: UserId
): Effect.fn.Return<void, Unauthenticated | StorageUnavailable> {
  const row = yield* currentFailures(records, user)
  if (row !== undefined && row.failures >= maximumFailures) return yield* tooManyFailures
})

/** Counts a wrong code. The caller holds the lock of the account: concurrent attempts would otherwise pass the limit together. */
export const countFailure = Effect.fnUntraced(function* (
  records: GrantedRecords,
  user: UserId
): Effect.fn.Return<void, StorageUnavailable> {
  const startedAt = toTimestamp(yield* Clock.currentTimeMillis)
  const row = yield* currentFailures(records, user)
  if (row !== undefined) {
    yield* records.update(recoveryFailures, Where.eq("user", user), {}, { failures: 1 })
    return
  }
  yield* records.remove(recoveryFailures, Where.eq("user", user))
  yield* records.insert(recoveryFailures, { user, failures: 1, startedAt })
})
