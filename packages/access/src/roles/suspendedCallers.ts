/** Loads the members of organizations in the trash, whose access is suspended, as callers. */

import type { StorageUnavailable } from "@lectern/kernel"
import { members, organizations, suspensions } from "@lectern/kernel/tables"
import type { OrganizationId } from "@lectern/model/organizations"
import { Effect } from "effect"
import type { Caller } from "../Caller.ts"
import { CurrentUser } from "../CurrentUser.ts"
import type { GrantedReader } from "../grants/Grant.ts"
import { canActIn, isFromSso } from "../limits/identityLimits.ts"
import { hasSecondFactor } from "./secondFactor.ts"

/** Creates the function that loads the current user as the caller that they were before their organization was moved to the trash. */
export const makeSuspendedCallerIn = (records: GrantedReader) =>
  Effect.fnUntraced(function* (
    organization: OrganizationId
  ): Effect.fn.Return<Caller | undefined, StorageUnavailable, CurrentUser> {
    const current = yield* CurrentUser
    const user = current.id
    if (!canActIn(current, organization)) return undefined
    const [member, [suspension, owner]] = yield* records.zipConcurrent(
      records.get(members, { organization, user }, ["role", "ssoMissing", "secondFactor"]),
      records.zipConcurrent(
        records.get(suspensions, { organization, kind: "members", subject: user }),
        records.get(organizations, { id: organization }, ["isPurging"])
      )
    )
    // Nothing restores an organization that is being removed: its members have lost their access, and their calls leave no records.
    if (member === undefined || suspension === undefined || owner?.isPurging !== false) return undefined
    return {
      user,
      organization,
      role: member.role,
      granted: new Map(),
      ssoRequired: member.ssoMissing && !isFromSso(current, organization),
      secondFactorRequired: member.secondFactor && !(yield* hasSecondFactor(records, current))
    }
  })
