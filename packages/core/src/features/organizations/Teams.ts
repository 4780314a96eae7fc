/** Operations on teams and their members. */

import {
  type AccessError,
  type Caller,
  type Command,
  type GrantedReader,
  Locks,
  Operations,
  type Query
} from "@lectern/access"
import { Ids, now, readPage, type StorageUnavailable, Where } from "@lectern/kernel"
import { members, type TeamMemberRow, type TeamRow, teamMembers, teams } from "@lectern/kernel/tables"
import {
  CreateTeam,
  ListTeams,
  OrganizationId,
  type PutTeamMember,
  type Team,
  TeamId,
  type TeamMember,
  UpdateTeam,
  type UpdateTeamMembers
} from "@lectern/model/organizations"
import { folded, type Page, type PageQuery } from "@lectern/model/schema"
import type { UserId } from "@lectern/model/users"
import { Context, Effect, Layer } from "effect"
import { presentTeams } from "../../views/organizations/TeamView.ts"
import { makeTeamMembers, requireResolved, resolveMembers, setRoles } from "./teamMembers.ts"
import { removeTeam } from "./teamsOfProviders.ts"

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

/** Returns the condition that a user can manage a team: as an owner of it, or as an administrator of the organization. */
const whereManagedBy = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: OrganizationId,
  user: UserId
): Effect.fn.Return<Where.Where<TeamRow>, StorageUnavailable> {
  const manager = yield* records.get(members, { organization, user }, ["role"])
  if (manager?.role === "admin") return Where.all
  return records.inSelect(
    "id",
    teamMembers,
    "team",
    Where.and<TeamMemberRow>(
      Where.eq("user", user),
      Where.eq("organization", organization),
      Where.eq("role", "owner")
    )
  )
})

const makeTeams = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const ids = yield* Ids

  const managing = { authorize: allow.team("manage"), locks: Locks.organization }

  const presentTeam = (
    records: GrantedReader,
    caller: Caller,
    row: TeamRow
  ): Effect.Effect<Team, StorageUnavailable> =>
    Effect.map(presentTeams(records, caller, [row]), ([team]) => team!)

  return {
    list: query(
      "Teams.list",
      {
        parameters: { organization: OrganizationId, input: ListTeams },
        authorize: allow.organization("listMembers")
      },
      function* ({ organization, input }, { caller, records }) {
        const { title, owner } = input
        const managed = owner === undefined ? Where.all : yield* whereManagedBy(records, organization, owner)
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

    ...(yield* makeTeamMembers)
  }
})

/** Operations on teams and their members: see {@link TeamsOperations}. */
export class Teams extends Context.Service<Teams, TeamsOperations>()("@lectern/core/Teams") {
  static readonly layer: Layer.Layer<Teams, never, Operations | Ids> = Layer.effect(Teams, makeTeams)
}
