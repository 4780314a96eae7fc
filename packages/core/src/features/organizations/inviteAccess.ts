/** Authorizations of operations on invite links. */

import {
  type AccessError,
  type Authorization,
  type Caller,
  CurrentUser,
  canActIn,
  Operations,
  SystemGrant
} from "@lectern/access"
import {
  type InviteRow,
  invites,
  isInUse,
  type MemberRow,
  members,
  type OrganizationRow,
  organizations
} from "@lectern/kernel/tables"
import { NotFound } from "@lectern/model/errors"
import type { InviteId, OrganizationId } from "@lectern/model/organizations"
import { Effect } from "effect"

/** An invite link with its organization, as the authorization loads it. */
interface OpenedInvite {
  readonly invite: InviteRow
  readonly owner: OrganizationRow
  /** The membership of the caller, if the caller is a member. */
  readonly member: MemberRow | undefined
}

/** Creates the authorizations of administrators, and of users who have the id of a link. */
export const makeInviteAccess = Effect.gen(function* () {
  const holders = yield* SystemGrant.make("Opens invite links for users before they are members.")
  const { allow } = yield* Operations
  const administrate = allow.organization("administrate")

  const load = allow.loading(
    administrate,
    (records, target: { readonly organization: OrganizationId; readonly invite: InviteId }) =>
      records.get(invites, { id: target.invite })
  )

  /** Authorizes the administrators of the organization. */
  const allowAdministrators: Authorization<
    { readonly organization: OrganizationId; readonly invite: InviteId },
    { readonly caller: Caller; readonly invite: InviteRow },
    AccessError
  > = {
    rule: administrate.rule,
    check: Effect.fnUntraced(function* (target) {
      const [{ caller, grant }, invite] = yield* load(target)
      if (invite?.organization !== target.organization) return yield* NotFound.of("invite")
      return { grant, caller, invite }
    })
  }

  /** Authorizes any user who has the id of the link. */
  const allowHolders: Authorization<
    { readonly organization: OrganizationId; readonly invite: InviteId },
    OpenedInvite,
    NotFound
  > = {
    rule: { kind: "signedIn", why: "an invite link whose id the caller has" },
    check: Effect.fnUntraced(function* ({ organization, invite: id }) {
      const current = yield* CurrentUser
      const { grant, records } = holders
      const [invite, [owner, member]] = yield* records.zipConcurrent(
        records.get(invites, { id }),
        records.zipConcurrent(
          records.get(organizations, { id: organization }),
          records.get(members, { organization, user: current.id })
        )
      )
      if (!canActIn(current, organization) || invite?.organization !== organization || !isInUse(owner)) {
        return yield* NotFound.of("invite")
      }
      return { grant, invite, owner, member }
    })
  }

  return { administrate, allowAdministrators, allowHolders }
})
