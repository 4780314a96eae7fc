/** The rules that operations on passkeys share: who manages them, and how they become resources. */

import type { GrantedReader } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { type PasskeyRow, passkeys } from "@lectern/kernel/tables"
import { Forbidden } from "@lectern/model/errors"
import type { Passkey } from "@lectern/model/passkeys"
import type { UserId } from "@lectern/model/users"
import type { Effect } from "effect"

/** The maximum number of passkeys of a user. */
export const maximumPasskeys = 20

/** The error for callers without a session that opens the whole account. */
export const sessionRequired = new Forbidden({
  reason: "SsoTokenNotAllowed",
  message:
    "Passkeys and recovery codes are managed in a browser, by a session that is not limited to an organization. Sign in by a link in an e-mail or by a passkey."
})

/** Lists the passkeys of a user, newest first. */
export const passkeysOf = (
  records: GrantedReader,
  user: UserId
): Effect.Effect<ReadonlyArray<PasskeyRow>, StorageUnavailable> =>
  records.find(passkeys, {
    where: Where.eq<PasskeyRow, "user">("user", user),
    orderBy: ["id"],
    direction: "desc"
  })

/** Converts a row to the resource. */
export const presentPasskey = ({ id, name, isSynced, createdAt, lastUsedAt }: PasskeyRow): Passkey => ({
  id,
  name,
  synced: isSynced,
  createdAt,
  lastUsedAt
})
