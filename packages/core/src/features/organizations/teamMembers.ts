/** The members of teams: their roles, and the operations that change them. */

import {
  type AccessError,
  type Authorization,
  type GrantedReader,
  type GrantedRecords,
  Locks,
  Operations
} from "@lectern/access"
import { makeLinkBase, readPage, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type MemberRow,
  members,
  type TeamMemberRow,
  type TeamRow,
  teamMembers,
  type UserRow,
  users
} from "@lectern/kernel/tables"
import { InvalidInput, NotFound } from "@lectern/model/errors"
import {
  OrganizationId,
  PutTeamMember,
  TeamId,
  type TeamMember,
  type TeamRole,
  UpdateTeamMembers
} from "@lectern/model/organizations"
import { PageQuery } from "@lectern/model/schema"
import { UserId } from "@lectern/model/users"
import { Effect } from "effect"
import { presentMembers } from "../../views/organizations/MemberView.ts"
import { requireGrantableTeam } from "./teamsOfProviders.ts"

/** Resolves user ids and e-mail addresses to members of the organization. Omits references to other users. */
export const resolveMembers = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: OrganizationId,
  references: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyMap<string, UserId>, StorageUnavailable> {
  if (references.length === 0) return new Map()
  const asEmail = new Map(references.map((reference) => [reference, reference.trim().toLowerCase()]))
  const found = yield* records.find(users, {
    select: ["id", "email"],
    where: Where.and<UserRow>(
      Where.or<UserRow>(
        Where.isIn("id", references as ReadonlyArray<UserId>),
        Where.isIn("email", [...asEmail.values()])
      ),
      records.inSelect(
        "id",
        members,
        "user",
        Where.eq<MemberRow, "organization">("organization", organization)
      )
    )
  })
  const byReference = new Map<string, UserId>(
    found.flatMap(({ id, email }) => [[id, id] as const, [email, id] as const])
  )
  return new Map(
    references.flatMap((reference) => {
      const id = byReference.get(reference) ?? byReference.get(asEmail.get(reference)!)
      return id === undefined ? [] : [[reference, id] as const]
    })
  )
})

/** Matches the rows of users in a team. */
const inTeam = (team: TeamId, selected: ReadonlyArray<UserId>): Where.Where<TeamMemberRow> =>
  Where.and<TeamMemberRow>(Where.eq("team", team), Where.isIn("user", selected))

/** Sets the roles of users in a team, and adds users who are not in it. */
export const setRoles = Effect.fnUntraced(function* (
  records: GrantedRecords,
  team: TeamRow,
  roles: ReadonlyMap<UserId, TeamRole>
) {
  for (const role of ["owner", "member"] as const) {
    const selected = [...roles].flatMap(([user, requested]) => (requested === role ? [user] : []))
    if (selected.length === 0) continue
    const missing = selected.map((user) => ({ team: team.id, user, organization: team.organization, role }))
    yield* records.insertMissing(teamMembers, missing)
    yield* records.update(teamMembers, inTeam(team.id, selected), { role })
  }
})

/** Fails with `InvalidInput` if a reference is unresolved. `pathOf` returns the path of a reference in the input. */
export const requireResolved = (
  references: ReadonlyArray<string>,
  resolved: ReadonlyMap<string, UserId>,
  pathOf: (reference: string, index: number) => string
): Effect.Effect<void, InvalidInput> => {
  const unresolved = references.flatMap((reference, index) =>
    resolved.has(reference)
      ? []
      : [
          {
            path: pathOf(reference, index),
            message: "must be the user id or the e-mail address of a member of the organization"
          }
        ]
  )
  return unresolved.length === 0 ? Effect.void : Effect.fail(InvalidInput.of(unresolved))
}

const presentTeamMembers = Effect.fnUntraced(function* (
  records: GrantedReader,
  base: string,
  organization: OrganizationId,
  rows: ReadonlyArray<TeamMemberRow>
): Effect.fn.Return<ReadonlyArray<TeamMember>, StorageUnavailable> {
  const users = rows.map(({ user }) => user)
  const found = yield* records.find(members, {
    where: Where.and<MemberRow>(Where.eq("organization", organization), Where.isIn("user", users))
  })
  const presented = yield* presentMembers(records, base, organization, found)
  const byId = new Map(presented.map((member) => [member.id, member]))
  return rows.map(({ user, role }) => ({
    organization: byId.get(user)!,
    team: { role },
    permissions: { view: true }
  }))
})

/** Creates the operations on the members of teams. */
export const makeTeamMembers = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const linkBase = yield* makeLinkBase

  const manageTeam = allow.team("manage")
  const managing = { authorize: manageTeam, locks: Locks.organization }

  /**
   * Authorizes to manage the team membership of a member of the organization. The member need not be in the team yet.
   */
  const manageTeamMember: Authorization<
    { readonly organization: OrganizationId; readonly team: TeamId; readonly user: UserId },
    { readonly team: TeamRow },
    AccessError
  > = {
    rule: manageTeam.rule,
    check: Effect.fnUntraced(function* (target) {
      const { team, grant } = yield* manageTeam.check(target)
      const { organization, user } = target
      const member = yield* grant.records.get(members, { organization, user }, ["id"])
      if (member === undefined) return yield* NotFound.of("member")
      return { grant, team }
    })
  }

  return {
    listMembers: query(
      "Teams.listMembers",
      {
        parameters: { organization: OrganizationId, team: TeamId, input: PageQuery },
        authorize: allow.team("listMembers")
      },
      function* ({ organization, team, input }, { records }) {
        return yield* readPage(records, input, {
          table: teamMembers,
          list: ["members of team", team],
          where: Where.eq<TeamMemberRow, "team">("team", team),
          orderBy: ["user"],
          direction: "desc",
          present: (rows) =>
            Effect.flatMap(linkBase, (base) => presentTeamMembers(records, base, organization, rows))
        })
      }
    ),

    updateMembers: command(
      "Teams.updateMembers",
      { parameters: { organization: OrganizationId, team: TeamId, input: UpdateTeamMembers }, ...managing },
      function* ({ organization, input: { add = [], remove = [], memberships = {} } }, { team, records }) {
        const withRole = Object.keys(memberships)
        const resolved = yield* resolveMembers(records, organization, [...add, ...remove, ...withRole])
        yield* requireResolved(add, resolved, (_, index) => `add.${index}`)
        yield* requireResolved(withRole, resolved, (reference) => `memberships.${reference}`)
        const removed = new Set(remove.flatMap((reference) => resolved.get(reference) ?? []))
        const roles = new Map(
          withRole.map((reference) => [resolved.get(reference)!, memberships[reference]!.role])
        )
        for (const user of removed) roles.delete(user)
        const added = add
          .map((reference) => resolved.get(reference)!)
          .filter((user) => !removed.has(user) && !roles.has(user))
        if (added.length + roles.size > 0) yield* requireGrantableTeam(records, team.id)
        yield* records.remove(teamMembers, inTeam(team.id, [...removed]))
        yield* records.insertMissing(
          teamMembers,
          [...new Set(added)].map((user) => ({ team: team.id, user, organization, role: "member" as const }))
        )
        yield* setRoles(records, team, roles)
      }
    ),

    putMember: command(
      "Teams.putMember",
      {
        parameters: { organization: OrganizationId, team: TeamId, user: UserId, input: PutTeamMember },
        authorize: manageTeamMember,
        locks: Locks.organization
      },
      function* ({ organization, user, input: { role } }, { team, records }) {
        yield* requireGrantableTeam(records, team.id)
        if (role === undefined) {
          yield* records.insertMissing(teamMembers, [{ team: team.id, user, organization, role: "member" }])
        } else {
          yield* setRoles(records, team, new Map([[user, role]]))
        }
      }
    ),

    removeMember: command(
      "Teams.removeMember",
      { parameters: { organization: OrganizationId, team: TeamId, user: UserId }, ...managing },
      function* ({ team, user }, { records }) {
        const removed = yield* records.remove(teamMembers, inTeam(team, [user]))
        if (removed === 0) return yield* NotFound.of("team member")
      }
    )
  }
})
