/** Operations on the permissions of users and teams on spaces, collections and sites. */

import { Access, type Command, type GrantedRecords, Operations, type Query } from "@lectern/access"
import { Ids, makeLinkBase, readPage, Where } from "@lectern/kernel"
import {
  type GrantRow,
  grants,
  type MemberRow,
  members,
  presentUser,
  type TeamRow,
  teams,
  whereAdmittedBySso
} from "@lectern/kernel/tables"
import { TeamId } from "@lectern/model/organizations"
import {
  ListPermissions,
  Share,
  SharedContent,
  type TeamPermission,
  UpdatePermission,
  type UserPermission
} from "@lectern/model/permissions"
import { type RoleOrGuest, roles } from "@lectern/model/roles"
import { type Page, PageQuery } from "@lectern/model/schema"
import { UserId } from "@lectern/model/users"
import { Context, Effect, Layer } from "effect"
import { presentTeams } from "../../views/organizations/TeamView.ts"
import {
  type Grantee,
  locksOfSharing,
  type PermissionsError,
  permissionAuthorizations
} from "./permissionAuthorizations.ts"
import { grantsTo, readGrants, removeGrant, rolesOf, usersById } from "./permissionGrants.ts"
import { membersWithRole, type Shared } from "./sharedContent.ts"

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

const makeListing = Effect.gen(function* () {
  const access = yield* Access
  const { query } = yield* Operations
  const linkBase = yield* makeLinkBase
  const { allowListing } = permissionAuthorizations(access)

  return {
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
    )
  }
})

const makeSharing = Effect.gen(function* () {
  const access = yield* Access
  const { command } = yield* Operations
  const ids = yield* Ids
  const { allowSharing, allowSharingWith, requireGrantees } = permissionAuthorizations(access)
  const sharing = { authorize: allowSharing, locks: locksOfSharing }

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

const makePermissions = Effect.gen(function* () {
  return { ...(yield* makeListing), ...(yield* makeSharing) }
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
