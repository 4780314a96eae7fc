/** Operations on the permissions of users and teams on spaces and collections. */

import { Ids, makeLinkBase, readPage, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type GrantRow,
  grants,
  type MemberRow,
  members,
  presentUser,
  type TeamMemberRow,
  type TeamRow,
  teamMembers,
  teams,
  type UserRow,
  users,
  whereAdmittedBySso
} from "@lectern/kernel/tables"
import { NotFound } from "@lectern/model/errors"
import { TeamId } from "@lectern/model/organizations"
import {
  ListPermissions,
  Share,
  SharedContent,
  type TeamPermission,
  UpdatePermission,
  type UserPermission
} from "@lectern/model/permissions"
import { highest, type RoleOrGuest, roles } from "@lectern/model/roles"
import { type Page, PageQuery } from "@lectern/model/schema"
import { UserId } from "@lectern/model/users"
import { Context, Effect, Layer } from "effect"
import type { GrantedReader, GrantedRecords } from "../../access/grants/Grant.ts"
import type { Command, Query } from "../../access/operations/Operation.ts"
import { Operations } from "../../access/operations/Operations.ts"
import { Access, type Caller, roleOn } from "../../access/roles/Access.ts"
import { presentTeams } from "../../views/organizations/TeamView.ts"
import {
  type Grantee,
  locksOfSharing,
  type PermissionsError,
  permissionAuthorizations
} from "./permissionAuthorizations.ts"
import { grantsAffecting, membersWithRole, type Shared } from "./sharedContent.ts"

/**
 * Operations on the permissions of users and teams on content, on behalf of the `CurrentUser`. They fail with
 * `NotFound` for content that the caller cannot see, with `Forbidden` if the caller's role on it is too low, and with
 * `Conflict` or `Gone` for a space in the trash. The lists fail with `Forbidden` for guests.
 */
export interface PermissionsOperations {
  /**
   * Grants a role on the content to users and teams, or removes the roles granted to them if the role is null; requires
   * the role `admin` on the content. Fails with `NotFound` if one of them is not in the organization.
   */
  readonly share: Command<{ content: SharedContent; input: Share }, void, PermissionsError>
  /** Lists the users with a role that was granted on the content itself, last granted first. */
  readonly listUsers: Query<
    { content: SharedContent; input?: PageQuery },
    Page<UserPermission>,
    PermissionsError
  >
  /** Lists the teams with a role that was granted on the content itself, last granted first. */
  readonly listTeams: Query<
    { content: SharedContent; input?: PageQuery },
    Page<TeamPermission>,
    PermissionsError
  >
  /**
   * Lists all members who can see the content, with their effective role on it, last joined first. The effective role
   * is the highest of the grants to a member and to the member's teams, on the content and on its ancestors, and of the
   * default level.
   */
  readonly listEffective: Query<
    { content: SharedContent; input?: ListPermissions },
    Page<UserPermission>,
    PermissionsError
  >
  /**
   * Grants a role on the content to a member, or removes the grant if the role is null; requires the role `admin` on
   * the content. Fails with `NotFound` if the user is not a member of the organization.
   */
  readonly updateUser: Command<
    { content: SharedContent; user: UserId; input: UpdatePermission },
    void,
    PermissionsError
  >
  /**
   * Grants a role on the content to a team, or removes the grant if the role is null; requires the role `admin` on the
   * content. Fails with `NotFound` if the team is not in the organization.
   */
  readonly updateTeam: Command<
    { content: SharedContent; team: TeamId; input: UpdatePermission },
    void,
    PermissionsError
  >
  /**
   * Removes the role that was granted on the content to a user; requires the role `admin` on the content. Roles from
   * other grants and from the default level remain. Fails with `NotFound` if the user has no grant on the content
   * itself.
   */
  readonly removeUser: Command<{ content: SharedContent; user: UserId }, void, PermissionsError>
  /**
   * Removes the role that was granted on the content to a team; requires the role `admin` on the content. Fails with
   * `NotFound` if the team has no grant on the content itself.
   */
  readonly removeTeam: Command<{ content: SharedContent; team: TeamId }, void, PermissionsError>
}

interface SharedWithUser {
  readonly content: SharedContent
  readonly user: UserId
}

interface SharedWithTeam {
  readonly content: SharedContent
  readonly team: TeamId
}

const makePermissions = Effect.gen(function* () {
  const access = yield* Access
  const { query, command } = yield* Operations
  const ids = yield* Ids
  const linkBase = yield* makeLinkBase

  const { allowListing, allowSharing, allowSharingWith, requireGrantees } = permissionAuthorizations(access)
  const sharing = { authorize: allowSharing, locks: locksOfSharing }

  const grantsTo = (
    shared: Shared,
    grantee: Grantee,
    granteeIds: ReadonlyArray<UserId | TeamId>
  ): Where.Where<GrantRow> =>
    Where.and<GrantRow>(
      Where.eq("target", shared.id),
      grantee === "user"
        ? Where.isIn("user", granteeIds as ReadonlyArray<UserId>)
        : Where.isIn("team", granteeIds as ReadonlyArray<TeamId>)
    )

  /**
   * Grants a role on the content to users or teams; null removes their grants. Updates existing grants in place, so
   * that they retain their position in lists and that the operation is idempotent.
   */
  const setGrants = Effect.fnUntraced(function* (
    records: GrantedRecords,
    shared: Shared,
    grantee: Grantee,
    granteeIds: ReadonlyArray<UserId | TeamId>,
    role: RoleOrGuest
  ) {
    if (role === null) {
      yield* records.remove(grants, grantsTo(shared, grantee, granteeIds))
      return
    }
    const updated = yield* records.update(grants, grantsTo(shared, grantee, granteeIds), { role })
    if (updated === granteeIds.length) return
    const rows: Array<GrantRow> = []
    for (const id of granteeIds) {
      rows.push({
        id: yield* ids.next,
        organization: shared.organization,
        kind: shared.kind,
        target: shared.id,
        user: grantee === "user" ? (id as UserId) : null,
        team: grantee === "team" ? (id as TeamId) : null,
        role
      })
    }
    yield* records.insertMissing(grants, rows)
  })

  const removeGrant = Effect.fnUntraced(function* (
    records: GrantedRecords,
    shared: Shared,
    grantee: Grantee,
    id: UserId | TeamId
  ) {
    const removed = yield* records.remove(grants, grantsTo(shared, grantee, [id]))
    if (removed === 0) return yield* NotFound.of("permission")
  })

  const readGrants = <A>(
    records: GrantedReader,
    shared: Shared,
    grantee: Grantee,
    page: PageQuery,
    present: (rows: ReadonlyArray<GrantRow>) => Effect.Effect<ReadonlyArray<A>, StorageUnavailable>
  ) =>
    readPage(records, page, {
      table: grants,
      list: ["permissions", grantee, shared.id],
      where: Where.and<GrantRow>(Where.eq("target", shared.id), Where.not(Where.isNull(grantee))),
      orderBy: ["id"],
      direction: "desc",
      present
    })

  const usersById = (records: GrantedReader, userIds: ReadonlyArray<UserId>) =>
    Effect.map(
      records.find(users, { where: Where.isIn<UserRow, "id">("id", userIds) }),
      (rows) => new Map(rows.map((row) => [row.id, row]))
    )

  /** Returns the effective roles of members on the content, in their order. */
  const rolesOf = Effect.fnUntraced(function* (
    records: GrantedReader,
    shared: Shared,
    rows: ReadonlyArray<MemberRow>
  ) {
    const userIds = rows.map(({ user }) => user)
    const [memberships, affecting] = yield* records.zipConcurrent(
      records.find(teamMembers, {
        where: Where.and<TeamMemberRow>(
          Where.eq("organization", shared.organization),
          Where.isIn("user", userIds)
        )
      }),
      records.find(grants, { where: grantsAffecting(shared, "read") })
    )
    const teamsByUser = Map.groupBy(memberships, ({ user }) => user)
    return rows.map(({ user, role }) => {
      const granteeIds = new Set<string | null>([
        user,
        ...(teamsByUser.get(user) ?? []).map(({ team }) => team)
      ])
      const member: Caller = {
        user,
        organization: shared.organization,
        role,
        ssoRequired: false,
        secondFactorRequired: false,
        granted: new Map()
      }
      const granted = affecting.filter(
        (row) =>
          (row.user !== null && granteeIds.has(row.user)) || (row.team !== null && granteeIds.has(row.team))
      )
      return highest([roleOn(member, shared), ...granted.map((row) => row.role)])!
    })
  })

  return {
    share: command(
      "Permissions.share",
      { parameters: { content: SharedContent, input: Share }, ...sharing },
      function* ({ input }, { shared, records }) {
        const granteeIds = {
          user: [...new Set<UserId | TeamId>(input.users)],
          team: [...new Set<UserId | TeamId>(input.teams)]
        }
        for (const grantee of ["user", "team"] as const) {
          if (granteeIds[grantee].length === 0) continue
          yield* requireGrantees(shared, grantee, granteeIds[grantee])
          yield* setGrants(records, shared, grantee, granteeIds[grantee], input.role)
        }
      }
    ),

    listUsers: query(
      "Permissions.listUsers",
      { parameters: { content: SharedContent, input: PageQuery }, authorize: allowListing },
      function* ({ input }, { shared, records }) {
        return yield* readGrants(
          records,
          shared,
          "user",
          input,
          Effect.fnUntraced(function* (rows) {
            const byId = yield* usersById(
              records,
              rows.map(({ user }) => user!)
            )
            const base = yield* linkBase
            return rows.map(
              ({ user, role }): UserPermission => ({
                permission: role,
                user: presentUser(base, byId.get(user!)!)
              })
            )
          })
        )
      }
    ),

    listTeams: query(
      "Permissions.listTeams",
      { parameters: { content: SharedContent, input: PageQuery }, authorize: allowListing },
      function* ({ input }, { shared, records }) {
        return yield* readGrants(
          records,
          shared,
          "team",
          input,
          Effect.fnUntraced(function* (rows) {
            const found = yield* records.find(teams, {
              where: Where.isIn<TeamRow, "id">(
                "id",
                rows.map(({ team }) => team!)
              )
            })
            const presented = yield* presentTeams(records, shared.caller, found)
            const byId = new Map(presented.map((team) => [team.id, team]))
            return rows.map(
              ({ team, role }): TeamPermission => ({ permission: role, team: byId.get(team!)! })
            )
          })
        )
      }
    ),

    listEffective: query(
      "Permissions.listEffective",
      { parameters: { content: SharedContent, input: ListPermissions }, authorize: allowListing },
      function* ({ input }, { shared, records }) {
        const { role } = input
        const nextHigher = role === undefined ? undefined : roles[roles.indexOf(role) + 1]
        return yield* readPage(records, input, {
          table: members,
          list: ["all permissions", shared.id, role],
          where: Where.and<MemberRow>(
            Where.eq("organization", shared.organization),
            Where.eq("disabled", false),
            whereAdmittedBySso,
            membersWithRole(shared, role ?? "read"),
            nextHigher === undefined ? Where.all : Where.not(membersWithRole(shared, nextHigher))
          ),
          orderBy: ["id"],
          direction: "desc",
          present: Effect.fnUntraced(function* (rows) {
            const [byId, effective] = yield* records.zipConcurrent(
              usersById(
                records,
                rows.map(({ user }) => user)
              ),
              rolesOf(records, shared, rows)
            )
            const base = yield* linkBase
            return rows.map(
              ({ user }, index): UserPermission => ({
                permission: effective[index]!,
                user: presentUser(base, byId.get(user)!)
              })
            )
          })
        })
      }
    ),

    updateUser: command(
      "Permissions.updateUser",
      {
        parameters: { content: SharedContent, user: UserId, input: UpdatePermission },
        authorize: allowSharingWith("user", ({ user }: SharedWithUser) => user),
        locks: locksOfSharing
      },
      function* ({ user, input }, { shared, records }) {
        yield* setGrants(records, shared, "user", [user], input.role)
      }
    ),

    updateTeam: command(
      "Permissions.updateTeam",
      {
        parameters: { content: SharedContent, team: TeamId, input: UpdatePermission },
        authorize: allowSharingWith("team", ({ team }: SharedWithTeam) => team),
        locks: locksOfSharing
      },
      function* ({ team, input }, { shared, records }) {
        yield* setGrants(records, shared, "team", [team], input.role)
      }
    ),

    removeUser: command(
      "Permissions.removeUser",
      { parameters: { content: SharedContent, user: UserId }, ...sharing },
      function* ({ user }, { shared, records }) {
        yield* removeGrant(records, shared, "user", user)
      }
    ),

    removeTeam: command(
      "Permissions.removeTeam",
      { parameters: { content: SharedContent, team: TeamId }, ...sharing },
      function* ({ team }, { shared, records }) {
        yield* removeGrant(records, shared, "team", team)
      }
    )
  }
})

/** Operations on the permissions of users and teams on content: see {@link PermissionsOperations}. */
export class Permissions extends Context.Service<Permissions, PermissionsOperations>()(
  "@lectern/core/Permissions"
) {
  static readonly layer: Layer.Layer<Permissions, never, Access | Operations | Ids> = Layer.effect(
    Permissions,
    makePermissions
  )
}
