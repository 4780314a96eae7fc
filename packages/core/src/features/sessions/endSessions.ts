/** Ends and rotates sessions when rights change. */

import type { GrantedRecords } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { type ApiTokenRow, type SessionRow, sessions, whereAuthorized } from "@lectern/kernel/tables"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SessionId } from "@lectern/model/sessions"
import type { UserId } from "@lectern/model/users"
import { Effect } from "effect"
import { revokeTokens } from "../tokens/revokeTokens.ts"

/** Ends the sessions that match a condition, with immediate effect. */
export const endSessions = (
  records: GrantedRecords,
  where: Where.Where<SessionRow>
): Effect.Effect<number, StorageUnavailable> => records.remove(sessions, where)

/** Ends the logins by a provider of an organization, with immediate effect: their tokens and their sessions. */
export const endLogins = (
  records: GrantedRecords,
  provider: NonNullable<SessionRow["provider"]> & NonNullable<ApiTokenRow["samlProvider"]>
): Effect.Effect<void, StorageUnavailable> =>
  Effect.andThen(
    revokeTokens(records, Where.eq("samlProvider", provider)),
    Effect.asVoid(endSessions(records, Where.eq<SessionRow, "provider">("provider", provider)))
  )

/** Makes the next request of each session of a user replace its secret, because the rights of the user have changed. */
export const rotateSessions = (
  records: GrantedRecords,
  user: UserId
): Effect.Effect<number, StorageUnavailable> =>
  records.update(sessions, Where.eq("user", user), { rotationDue: true })

/** Ends the authorizations of programs of a user, or only the ones that are limited to an organization: a sign-out everywhere ends them too. */
export const endPrograms = (
  records: GrantedRecords,
  user: UserId,
  organization?: OrganizationId
): Effect.Effect<void, StorageUnavailable> => revokeTokens(records, whereAuthorized(user, organization))

/**
 * Ends the sessions of a user that have verified a second factor, except for one. Which passkey a session has verified is not stored: one
 * of a passkey that is removed could otherwise add another one.
 */
export const endVerifiedSessions = (
  records: GrantedRecords,
  user: UserId,
  except?: SessionId
): Effect.Effect<number, StorageUnavailable> =>
  endSessions(
    records,
    Where.and<SessionRow>(
      Where.eq("user", user),
      Where.not(Where.isNull("verifiedAt")),
      except === undefined ? Where.all : Where.not(Where.eq("id", except))
    )
  )
