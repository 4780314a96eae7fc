/** Maps the groups of a user at a provider to a role and to teams. */

import type { Forbidden } from "@lectern/model/errors"
import type { OidcProviderSettings } from "@lectern/model/oidc"
import { isAtLeast, type RoleOrGuest } from "@lectern/model/roles"
import { Effect } from "effect"
import type { GrantedRecords } from "../../access/grants/Grant.ts"
import { type OrganizationQuotas, requireQuota } from "../../access/limits/quotas.ts"
import type { IdsService } from "../../kernel/ids/Ids.ts"
import type { StorageUnavailable } from "../../kernel/storage/index.ts"
import { members } from "../../tables/organizations/memberTable.ts"
import { organizations } from "../../tables/organizations/organizationTables.ts"
import { teamMembers, teams } from "../../tables/organizations/teamTables.ts"
import type { UserRow } from "../../tables/users/userTable.ts"
import {
  insertMember,
  membership,
  membershipDisabled,
  requireOtherAdministrator
} from "../organizations/memberships.ts"
import { rotateSessions } from "../sessions/endSessions.ts"

/** The rights that the groups of a user give. */
const rightsOf = ({ groups = {} }: OidcProviderSettings, given: ReadonlyArray<string>) => {
  const matching = given.flatMap((name) => (Object.hasOwn(groups, name) ? [groups[name]!] : []))
  const roles = matching.flatMap(({ role }) => (role === undefined ? [] : [role]))
  const role = roles.reduce<RoleOrGuest | undefined>(
    (highest, one) =>
      highest === undefined || highest === null || (one !== null && isAtLeast(one, highest)) ? one : highest,
    undefined
  )
  return { role, teams: matching.flatMap(({ team }) => (team === undefined ? [] : [team])) }
}

/**
 * Adds a user to the organization of the provider, with the highest role of their groups and their teams. The role of an
 * existing member changes only if a group has one, and never from that of the last administrator.
 */
export const applyMembership = Effect.fnUntraced(function* (
  records: GrantedRecords,
  ids: IdsService,
  quotas: (typeof OrganizationQuotas)["Service"],
  settings: OidcProviderSettings,
  user: UserRow,
  groups: ReadonlyArray<string>
): Effect.fn.Return<void, Forbidden | StorageUnavailable> {
  const { organization } = settings
  if (organization === undefined) return
  const owner = yield* records.get(organizations, { id: organization }, ["id", "sso", "defaultRole"])
  if (owner === undefined) return
  const rights = rightsOf(settings, groups)
  const member = yield* records.get(members, { organization, user: user.id })
  if (member?.disabled === true) return yield* membershipDisabled
  if (member === undefined) {
    yield* requireQuota(quotas, records, organization, "members", 1)
    const fallback = settings.role === undefined ? owner.defaultRole : settings.role
    yield* insertMember(records, ids, owner, user, {
      role: rights.role === undefined ? fallback : rights.role
    })
  } else if (rights.role !== undefined && rights.role !== member.role) {
    const isLast = yield* Effect.isFailure(
      rights.role === "admin" ? Effect.void : requireOtherAdministrator(records, member)
    )
    if (!isLast) {
      yield* records.update(members, membership(organization, user.id), { role: rights.role })
      yield* rotateSessions(records, user.id)
    }
  }
  for (const id of rights.teams) {
    const team = yield* records.get(teams, { id }, ["organization"])
    if (team?.organization !== organization) continue
    yield* records.insertMissing(teamMembers, [{ team: id, user: user.id, organization, role: "member" }])
  }
})
