/** Operations on teams and their members. */

import {
  type AccessError,
  type Authorization,
  type Caller,
  type Command,
  type GrantedReader,
  type GrantedRecords,
  Locks,
  Operations,
  type Query
} from "@lectern/access"
import { Ids, makeLinkBase, now, readPage, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type MemberRow,
  members,
  type TeamMemberRow,
  type TeamRow,
  teamMembers,
  teams,
  type UserRow,
  users
} from "@lectern/kernel/tables"
import { InvalidInput, NotFound } from "@lectern/model/errors"
import {
  CreateTeam,
  ListTeams,
  OrganizationId,
  PutTeamMember,
  type Team,
  TeamId,
  type TeamMember,
  type TeamRole,
  UpdateTeam,
  UpdateTeamMembers
} from "@lectern/model/organizations"
import { folded, type Page, PageQuery } from "@lectern/model/schema"
import { UserId } from "@lectern/model/users"
import { Context, Effect, Layer } from "effect"
import { presentMembers } from "../../views/organizations/MemberView.ts"
import { presentTeams } from "../../views/organizations/TeamView.ts"
import { removeTeam, requireGrantableTeam } from "./teamsOfProviders.ts"

/**
 * Operations on teams and their members, on behalf of the `CurrentUser`. They fail with `NotFound` for an organization
 * or a team that the caller cannot see, and with `Forbidden` if the caller's role is too low.
 */
export interface TeamsOperations {
  /** Lists the teams of an organization, newest first. Fails with `Forbidden` for guests. */
  readonly list: Query<{ organization: OrganizationId; input?: ListTeams }, Page<Team>, AccessError>
  /**
   * Creates a team with its first members; requires the role `admin` in the organization. Fails with `InvalidInput`
   * if one of them is not a member of the organization.
   */
  readonly create: Command<{ organization: OrganizationId; input: CreateTeam }, Team, AccessError>
  /** Returns the team. Fails with `Forbidden` for guests who are not in it. */
  readonly get: Query<{ organization: OrganizationId; team: TeamId }, Team, AccessError>
  /** Renames the team. Requires the role `admin` in the organization, or ownership of the team. */
  readonly update: Command<
    { organization: OrganizationId; team: TeamId; input: UpdateTeam },
    Team,
    AccessError
  >
  /**
   * Removes the team, with the permissions granted to it; requires the role `admin` in the organization. The default
   * team of identity providers that refer to it is cleared.
   */
  readonly remove: Command<{ organization: OrganizationId; team: TeamId }, void, AccessError>
  /** Lists the members of the team, by the creation time of their accounts, newest first. */
  readonly listMembers: Query<
    { organization: OrganizationId; team: TeamId; input?: PageQuery },
    Page<TeamMember>,
    AccessError
  >
  /**
   * Adds members to the team, removes members from it and updates their roles, atomically. Requires the role `admin` in
   * the organization, or ownership of the team. Fails with `InvalidInput` if a user to add is not a member of the
   * organization. A user who is both to be added and to be removed is removed.
   */
  readonly updateMembers: Command<
    { organization: OrganizationId; team: TeamId; input?: UpdateTeamMembers },
    void,
    AccessError
  >
  /**
   * Adds a member of the organization to the team, or updates the member's role in it. Requires the role `admin` in the
   * organization, or ownership of the team. Fails with `NotFound` if the user is not a member of the organization.
   */
  readonly putMember: Command<
    { organization: OrganizationId; team: TeamId; user: UserId; input?: PutTeamMember },
    void,
    AccessError
  >
  /**
   * Removes a member from the team. Requires the role `admin` in the organization, or ownership of the team. Fails with
   * `NotFound` if the user is not in the team.
   */
  readonly removeMember: Command<
    { organization: OrganizationId; team: TeamId; user: UserId },
    void,
    AccessError
  >
}

const makeTeams = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const ids = yield* Ids
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

  const presentTeam = (
    records: GrantedReader,
    caller: Caller,
    row: TeamRow
  ): Effect.Effect<Team, StorageUnavailable> =>
    Effect.map(presentTeams(records, caller, [row]), ([team]) => team!)

  /** Resolves user ids and e-mail addresses to members of the organization. Omits references to other users. */
  const resolveMembers = Effect.fnUntraced(function* (
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

  const inTeam = (team: TeamId, selected: ReadonlyArray<UserId>): Where.Where<TeamMemberRow> =>
    Where.and<TeamMemberRow>(Where.eq("team", team), Where.isIn("user", selected))

  /** Sets the roles of users in a team, and adds users who are not in it. */
  const setRoles = Effect.fnUntraced(function* (
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
  const requireResolved = (
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

  return {
    list: query(
      "Teams.list",
      {
        parameters: { organization: OrganizationId, input: ListTeams },
        authorize: allow.organization("listMembers")
      },
      function* ({ organization, input }, { caller, records }) {
        const { title, owner } = input
        const manager =
          owner === undefined
            ? undefined
            : yield* records.get(members, { organization, user: owner }, ["role"])
        const managed: Where.Where<TeamRow> =
          owner === undefined || manager?.role === "admin"
            ? Where.all
            : records.inSelect(
                "id",
                teamMembers,
                "team",
                Where.and<TeamMemberRow>(
                  Where.eq("user", owner),
                  Where.eq("organization", organization),
                  Where.eq("role", "owner")
                )
              )
        return yield* readPage(records, input, {
          table: teams,
          list: ["teams", organization, title, owner],
          where: Where.and<TeamRow>(
            Where.eq("organization", organization),
            title === undefined ? Where.all : Where.contains("folded", folded(title)),
            managed
          ),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => presentTeams(records, caller, rows)
        })
      }
    ),

    create: command(
      "Teams.create",
      {
        parameters: { organization: OrganizationId, input: CreateTeam },
        authorize: allow.organization("administrate"),
        locks: Locks.organization
      },
      function* ({ organization, input: { title, members: references = [] } }, { caller, records }) {
        const resolved = yield* resolveMembers(records, organization, references)
        yield* requireResolved(references, resolved, (_, index) => `members.${index}`)
        const row: TeamRow = {
          id: TeamId.make(yield* ids.next),
          organization,
          title,
          folded: folded(title),
          createdAt: yield* now
        }
        yield* records.insert(teams, row)
        yield* setRoles(records, row, new Map([...resolved.values()].map((user) => [user, "member"])))
        return yield* presentTeam(records, caller, row)
      }
    ),

    get: query(
      "Teams.get",
      { parameters: { organization: OrganizationId, team: TeamId }, authorize: allow.team("view") },
      function* (_, { caller, team, records }) {
        return yield* presentTeam(records, caller, team)
      }
    ),

    update: command(
      "Teams.update",
      { parameters: { organization: OrganizationId, team: TeamId, input: UpdateTeam }, ...managing },
      function* ({ input: { title } }, { caller, team, records }) {
        const changes = { title, folded: folded(title) }
        yield* records.update(teams, Where.eq("id", team.id), changes)
        return yield* presentTeam(records, caller, { ...team, ...changes })
      }
    ),

    remove: command(
      "Teams.remove",
      {
        parameters: { organization: OrganizationId, team: TeamId },
        authorize: allow.team("remove"),
        locks: Locks.organization
      },
      function* ({ organization, team }, { records }) {
        yield* removeTeam(records, organization, team)
      }
    ),

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
          present: Effect.fnUntraced(function* (rows) {
            const found = yield* records.find(members, {
              where: Where.and<MemberRow>(
                Where.eq("organization", organization),
                Where.isIn(
                  "user",
                  rows.map(({ user }) => user)
                )
              )
            })
            const presented = yield* presentMembers(records, yield* linkBase, organization, found)
            const byId = new Map(presented.map((member) => [member.id, member]))
            return rows.map(
              ({ user, role }): TeamMember => ({
                organization: byId.get(user)!,
                team: { role },
                permissions: { view: true }
              })
            )
          })
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

/** Operations on teams and their members: see {@link TeamsOperations}. */
export class Teams extends Context.Service<Teams, TeamsOperations>()("@lectern/core/Teams") {
  static readonly layer: Layer.Layer<Teams, never, Operations | Ids> = Layer.effect(Teams, makeTeams)
}
