/** Maps the groups of a user at a provider to a role and to teams. */

import { type GrantedRecords, type OrganizationQuotas, requireQuota } from "@lectern/access"
import type { IdsService, StorageUnavailable } from "@lectern/kernel"
import {
  isInUse,
  type MemberRow,
  members,
  organizations,
  teamMembers,
  teams,
  type UserRow
} from "@lectern/kernel/tables"
import type { Forbidden } from "@lectern/model/errors"
import { highest, type RoleOrGuest } from "@lectern/model/roles"
import { Effect } from "effect"
import {
  insertMember,
  membership,
  membershipDisabled,
  requireOtherAdministrator
} from "../organizations/memberships.ts"
import { rotateSessions } from "../sessions/endSessions.ts"
import type { LoginProvider } from "./loginProviders.ts"

/** The rights that the groups of a user give. `role` is undefined if none of them has one. */
const rightsOf = ({ groups }: LoginProvider, given: ReadonlyArray<string>) => {
  const names = new Set(given)
  const matching = groups.filter(({ group }) => names.has(group))
  const roles = matching.flatMap(({ role }) => (role === undefined ? [] : [role]))
  return {
    role: roles.length === 0 ? undefined : highest(roles),
    teams: matching.flatMap(({ team }) => (team === undefined ? [] : [team]))
  }
}

/** Changes the role of a member to that of their groups, and records that they have logged in by single sign-on. */
const updateMember = Effect.fnUntraced(function* (
  records: GrantedRecords,
  { owner }: LoginProvider,
  member: MemberRow,
  role: RoleOrGuest | undefined
): Effect.fn.Return<void, StorageUnavailable> {
  const condition = membership(member.organization, member.user)
  if (owner !== undefined && !member.sso) {
    // The login does not admit other tokens of the member, which `ssoMissing` still denies.
    yield* records.update(members, condition, { sso: true, ssoLogin: true })
  }
  if (role === undefined || role === member.role) return
  // Evaluated with the membership as it was: the last administrator remains one.
  const isLast = role !== "admin" && (yield* Effect.isFailure(requireOtherAdministrator(records, member)))
  if (isLast) return
  yield* records.update(members, condition, { role })
  yield* rotateSessions(records, member.user)
})

/**
 * Adds a user to the organization of the provider, with the highest role of their groups and their teams. The role of an
 * existing member changes only if a group has one, and never from that of the last administrator.
 */
export const applyMembership = Effect.fnUntraced(function* (
  records: GrantedRecords,
  ids: IdsService,
  quotas: (typeof OrganizationQuotas)["Service"],
  provider: LoginProvider,
  user: UserRow,
  groups: ReadonlyArray<string>
): Effect.fn.Return<void, Forbidden | StorageUnavailable> {
  const { organization, owner, defaultRole, defaultTeam } = provider
  if (organization === undefined) return
  const joined = yield* records.get(organizations, { id: organization }, [
    "id",
    "sso",
    "secondFactor",
    "defaultRole",
    "deletedAt"
  ])
  if (!isInUse(joined)) return
  const rights = rightsOf(provider, groups)
  const member = yield* records.get(members, { organization, user: user.id })
  if (member?.disabled === true) return yield* membershipDisabled
  if (member === undefined) {
    yield* requireQuota(quotas, records, organization, "members", 1)
    const fallback = defaultRole === undefined ? joined.defaultRole : defaultRole
    yield* insertMember(records, ids, joined, user, {
      role: rights.role === undefined ? fallback : rights.role,
      sso: owner !== undefined,
      ssoLogin: owner !== undefined
    })
  } else {
    yield* updateMember(records, provider, member, rights.role)
  }
  const teamIds =
    member === undefined && defaultTeam !== undefined ? [defaultTeam, ...rights.teams] : rights.teams
  for (const id of new Set(teamIds)) {
    const team = yield* records.get(teams, { id }, ["organization"])
    if (team?.organization !== organization) continue
    yield* records.insertMissing(teamMembers, [{ team: id, user: user.id, organization, role: "member" }])
  }
})
