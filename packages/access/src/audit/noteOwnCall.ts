/** Records calls on a user's own account and tokens in the logs of the organizations that the user belongs to. */

import { type StorageUnavailable, Where } from "@lectern/kernel"
import { type MemberRow, members } from "@lectern/kernel/tables"
import type { UserId } from "@lectern/model/users"
import { Effect } from "effect"
import { addAuditConcerns } from "../AuditedCall.ts"
import type { GrantedReader } from "../grants/Grant.ts"

/**
 * Adds the organizations of a user to the audit record of a call that acts in none of them, such as the creation of a token
 * that opens all of them. Their records name the user, and not where the call came from: anyone can make any user a member
 * of an organization of theirs.
 */
export const noteOwnCall = (records: GrantedReader, user: UserId): Effect.Effect<void, StorageUnavailable> =>
  addAuditConcerns(
    Effect.map(
      records.find(members, {
        select: ["organization"],
        where: Where.and<MemberRow>(Where.eq("user", user), Where.eq("disabled", false))
      }),
      (rows) => rows.map(({ organization }) => [organization, "user"] as const)
    )
  )
