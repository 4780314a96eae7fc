/** Notes the results of authorizations, for audit records. */

import { NotFound, type Noun } from "@lectern/model/errors"
import type { OrganizationId } from "@lectern/model/organizations"
import { Effect } from "effect"
import { CurrentAuditedCall } from "./AuditedCall.ts"
import { CurrentRequiredAccess } from "./accessChecks.ts"
import { CallOrigin } from "./CallOrigin.ts"
import type { Identity } from "./CurrentUser.ts"

/** Notes whether the current user is a member of an organization that they act in. */
export const noteAuthorization = (
  { id, token }: Identity,
  organization: OrganizationId,
  isMember: boolean
): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const call = fiber.getRef(CurrentAuditedCall)
    if (isMember) fiber.getRef(CurrentRequiredAccess)?.organizations.add(organization)
    if (call !== undefined) {
      if (isMember) call.organizations.add(organization)
      else call.isOutsider = true
    }
    if (isMember && token !== undefined) {
      fiber.getRef(CallOrigin)?.onTokenUse?.({ organization, token: token.id, user: id })
    }
    return Effect.void
  })

/** Fails with `NotFound` for content that exists and that the caller cannot see, which is a denial. */
export const failHidden = (noun: Noun): Effect.Effect<never, NotFound> =>
  Effect.withFiber((fiber) => {
    const call = fiber.getRef(CurrentAuditedCall)
    if (call !== undefined) call.isHidden = true
    return Effect.fail(NotFound.of(noun))
  })
