/** Erases accounts. */

import type { GrantedRecords } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import {
  apiTokens,
  mails,
  members,
  oidcSubjects,
  passkeys,
  places,
  presences,
  recoveryCodes,
  recoveryFailures,
  signedInUsers,
  signInLinks,
  type UserRow,
  users
} from "@lectern/kernel/tables"
import type { Conflict } from "@lectern/model/errors"
import { Effect } from "effect"
import { removeMembership, requireOtherAdministrator } from "../organizations/memberships.ts"
import { endSessions } from "../sessions/endSessions.ts"

/** The name of an author whose account was erased. */
const erasedName = "Former user"

/**
 * Erases the data of an account: its name, its address, its identities, passkeys, memberships, teams, tokens, sessions, favorites and recent
 * pages. The row remains as the author of content. Fails with `Conflict` if the user is the last administrator of an organization.
 */
export const eraseAccount = Effect.fnUntraced(function* (
  records: GrantedRecords,
  { id, email }: Pick<UserRow, "id" | "email">
): Effect.fn.Return<void, Conflict | StorageUnavailable> {
  for (const member of yield* records.find(members, { where: Where.eq("user", id) })) {
    yield* requireOtherAdministrator(records, member)
    yield* removeMembership(records, member)
  }
  yield* records.remove(apiTokens, Where.eq("user", id))
  yield* endSessions(records, Where.eq("user", id))
  yield* records.remove(signInLinks, Where.eq("user", id))
  yield* records.remove(signedInUsers, Where.eq("user", id))
  yield* records.remove(oidcSubjects, Where.eq("user", id))
  yield* records.remove(passkeys, Where.eq("user", id))
  yield* records.remove(recoveryCodes, Where.eq("user", id))
  yield* records.remove(recoveryFailures, Where.eq("user", id))
  yield* records.remove(places, Where.eq("user", id))
  yield* records.remove(presences, Where.eq("user", id))
  yield* records.remove(mails, Where.eq("recipient", email))
  yield* records.update(users, Where.eq("id", id), {
    // A reserved domain: no mailbox and no provider can have the address.
    email: `erased-${id}@erased.invalid`,
    displayName: erasedName,
    photoURL: null
  })
})
