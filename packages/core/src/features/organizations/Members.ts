/** Operations on the members of an organization. */

import {
  Access,
  type AccessError,
  type Authorization,
  type Caller,
  type Command,
  CurrentUser,
  type GrantedReader,
  type GrantedRecords,
  Locks,
  Operations,
  type Query,
  roleOn,
  withSignInSettings
} from "@lectern/access"
import {
  Encryption,
  makeLinkBase,
  now,
  PublicUrl,
  readPage,
  type StorageUnavailable,
  Where
} from "@lectern/kernel"
import {
  type MemberRow,
  members,
  organizations,
  type SpaceRow,
  spaces,
  type TeamMemberRow,
  type TeamRow,
  teamMembers,
  teams
} from "@lectern/kernel/tables"
import { type Conflict, NotFound } from "@lectern/model/errors"
import {
  ListMembers,
  ListMemberTeams,
  type Member,
  type MemberPing,
  type MemberTeam,
  OrganizationId,
  type TeamId,
  UpdateMember,
  visitorKeyPlace
} from "@lectern/model/organizations"
import { memberActions } from "@lectern/model/roles"
import type { Page } from "@lectern/model/schema"
import { folded } from "@lectern/model/schema"
import { ListMemberSpaces, type MemberSpace } from "@lectern/model/spaces"
import { UserId } from "@lectern/model/users"
import { Clock, Context, Effect, Layer } from "effect"
import { presentMembers } from "../../views/organizations/MemberView.ts"
import { presentTeams } from "../../views/organizations/TeamView.ts"
import { presentSpaceFor } from "../../views/spaces/SpaceView.ts"
import { rotateSessions } from "../sessions/endSessions.ts"
import { memberFilter, memberOrder } from "./memberFilters.ts"
import { membership, removeMembership, requireOtherAdministrator } from "./memberships.ts"
import { signVisitorClaims } from "./visitorClaims.ts"

/**
 * Operations on the members of an organization, on behalf of the `CurrentUser`. They fail with `NotFound` for an
 * organization that the caller cannot see or a user who is not a member of it, and with `Forbidden` if the caller's
 * role is too low.
 */
export interface MembersOperations {
  /**
   * Lists the members of an organization, last joined first by default. Sorted by `lastSeenAt`, the list omits members
   * who were never active. Fails with `Forbidden` for guests.
   */
  readonly list: Query<{ organization: OrganizationId; input?: ListMembers }, Page<Member>, AccessError>
  /** Returns a member. Fails with `Forbidden` for guests, except on themselves. */
  readonly get: Query<{ organization: OrganizationId; user: UserId }, Member, AccessError>
  /**
   * Updates the role of a member; requires the role `admin`. Fails with `Conflict` if it would leave the
   * organization without an administrator.
   */
  readonly update: Command<
    { organization: OrganizationId; user: UserId; input: UpdateMember },
    Member,
    AccessError | Conflict
  >
  /**
   * Removes a member from the organization and from its teams, with the permissions granted to the user, and revokes the
   * user's tokens that are limited to the organization; requires the role `admin`. Fails with `Conflict` if it would leave the organization without an administrator.
   */
  readonly remove: Command<{ organization: OrganizationId; user: UserId }, void, AccessError | Conflict>
  /**
   * Marks a member as a user of single sign-on, which lifts a denial of access for all tokens of the member; requires the
   * role `admin`.
   */
  readonly enableSso: Command<{ organization: OrganizationId; user: UserId }, Member, AccessError>
  /**
   * Records that the caller is active in the organization. If the organization has a visitor key, returns claims about
   * the caller that are signed with it, for published sites.
   */
  readonly ping: Command<{ organization: OrganizationId }, MemberPing, AccessError>
  /**
   * Lists the spaces that a member can see, with the member's role on each, newest first by default. Requires the role
   * `admin`, except for the caller's own membership.
   */
  readonly listSpaces: Query<
    { organization: OrganizationId; user: UserId; input?: ListMemberSpaces },
    Page<MemberSpace>,
    AccessError
  >
  /**
   * Lists the teams that a member is in, newest first, with the member's role in each. Fails with `Forbidden` for
   * guests, except on themselves.
   */
  readonly listTeams: Query<
    { organization: OrganizationId; user: UserId; input?: ListMemberTeams },
    Page<MemberTeam>,
    AccessError
  >
}

const store = Effect.fnUntraced(function* (
  records: GrantedRecords,
  row: MemberRow,
  changes: Partial<MemberRow>
) {
  const { organization, user, ...set } = changes
  yield* records.update(members, membership(row.organization, row.user), set)
  return { ...row, ...set }
})

const makePresenter = Effect.gen(function* () {
  const linkBase = yield* makeLinkBase

  const presentMember = (records: GrantedReader, row: MemberRow): Effect.Effect<Member, StorageUnavailable> =>
    Effect.flatMap(linkBase, (base) =>
      Effect.map(presentMembers(records, base, row.organization, [row]), ([member]) => member!)
    )

  return { presentMember }
})

const makeReads = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const linkBase = yield* makeLinkBase
  const { presentMember } = yield* makePresenter

  return {
    list: query(
      "Members.list",
      {
        parameters: { organization: OrganizationId, input: ListMembers },
        authorize: allow.organization("listMembers")
      },
      function* ({ organization, input }, { records }) {
        const { page, limit, order = "desc", ...filters } = input
        return yield* readPage(records, input, {
          table: members,
          list: ["members", organization, filters],
          where: Where.and<MemberRow>(Where.eq("organization", organization), memberFilter(input)),
          orderBy: [memberOrder(input)],
          direction: order,
          present: (rows) =>
            Effect.flatMap(linkBase, (base) => presentMembers(records, base, organization, rows))
        })
      }
    ),

    get: query(
      "Members.get",
      { parameters: { organization: OrganizationId, user: UserId }, authorize: allow.member("view") },
      function* (_, { member, records }) {
        return yield* presentMember(records, member)
      }
    )
  }
})

const makeEdits = Effect.gen(function* () {
  const encryption = yield* Encryption
  const access = yield* Access
  const { command, allow } = yield* Operations
  const issuer = yield* PublicUrl
  const { presentMember } = yield* makePresenter

  /** Authorizes an operation on the caller's own membership. */
  const allowSelf: Authorization<
    { readonly organization: OrganizationId },
    { readonly caller: Caller; readonly member: MemberRow },
    AccessError
  > = {
    rule: { kind: "policy", action: "member.view", role: memberActions.view.own ?? "guest" },
    check: ({ organization }) =>
      Effect.flatMap(CurrentUser, ({ id }) => access.member(organization, id, "view"))
  }

  return {
    update: command(
      "Members.update",
      {
        parameters: { organization: OrganizationId, user: UserId, input: UpdateMember },
        authorize: allow.member("change"),
        locks: Locks.organization
      },
      function* ({ input: { role } }, { member, records }) {
        if (role !== "admin") yield* requireOtherAdministrator(records, member)
        yield* rotateSessions(records, member.user)
        return yield* presentMember(records, yield* store(records, member, { role }))
      }
    ),

    remove: command(
      "Members.remove",
      {
        parameters: { organization: OrganizationId, user: UserId },
        authorize: allow.member("change"),
        locks: Locks.organization
      },
      function* (_, { member, records }) {
        yield* requireOtherAdministrator(records, member)
        yield* removeMembership(records, member)
      }
    ),

    enableSso: command(
      "Members.enableSso",
      {
        parameters: { organization: OrganizationId, user: UserId },
        authorize: withSignInSettings(allow.member("change")),
        locks: Locks.organization
      },
      function* (_, { member, records }) {
        return yield* presentMember(
          records,
          yield* store(records, member, { sso: true, ssoLogin: false, ssoMissing: false })
        )
      }
    ),

    ping: command(
      "Members.ping",
      {
        parameters: { organization: OrganizationId },
        authorize: allowSelf,
        locks: Locks.visits
      },
      function* ({ organization }, { member, records }) {
        yield* store(records, member, { lastSeenAt: yield* now })
        const [owner, memberships] = yield* records.zipConcurrent(
          records.get(organizations, { id: organization }, ["visitorKey"]),
          records.find(teamMembers, {
            select: ["team"],
            where: Where.and<TeamMemberRow>(
              Where.eq("user", member.user),
              Where.eq("organization", organization)
            )
          })
        )
        if (owner === undefined) return yield* NotFound.of("organization")
        if (owner.visitorKey === null) return {}
        const key = yield* encryption.decryptOrPlain(owner.visitorKey, visitorKeyPlace(organization))
        if (key === undefined) return {}
        const claims = { member, teams: memberships.map(({ team }) => team), issuer }
        const time = yield* Clock.currentTimeMillis
        return { serviceVisitorClaims: yield* signVisitorClaims(key, claims, time) }
      }
    )
  }
})

const makePlaces = Effect.gen(function* () {
  const access = yield* Access
  const { query, allow } = yield* Operations
  const linkBase = yield* makeLinkBase

  return {
    listSpaces: query(
      "Members.listSpaces",
      {
        parameters: { organization: OrganizationId, user: UserId, input: ListMemberSpaces },
        authorize: allow.member("inspect")
      },
      function* ({ organization, user, input }, { caller, records }) {
        const subject = yield* access.loadCaller(user, organization)
        const visible = subject === undefined ? Where.none : yield* access.whereVisible(subject)
        return yield* readPage(records, input, {
          table: spaces,
          list: ["spaces of member", organization, user],
          where: Where.and<SpaceRow>(
            Where.eq("organization", organization),
            Where.isNull("deletedAt"),
            visible
          ),
          orderBy: ["id"],
          direction: input.order ?? "desc",
          present: (rows) =>
            Effect.map(linkBase, (base) =>
              rows.map(
                (row): MemberSpace => ({
                  permission: roleOn(subject!, row)!,
                  space: presentSpaceFor(base, caller, row)
                })
              )
            )
        })
      }
    ),

    listTeams: query(
      "Members.listTeams",
      {
        parameters: { organization: OrganizationId, user: UserId, input: ListMemberTeams },
        authorize: allow.member("view")
      },
      function* ({ organization, user, input }, { caller, records }) {
        const memberships = Where.and<TeamMemberRow>(
          Where.eq("user", user),
          Where.eq("organization", organization)
        )
        return yield* readPage(records, input, {
          table: teams,
          list: ["teams of member", organization, user, input.title],
          where: Where.and<TeamRow>(
            Where.eq("organization", organization),
            records.inSelect("id", teamMembers, "team", memberships),
            input.title === undefined ? Where.all : Where.contains("folded", folded(input.title))
          ),
          orderBy: ["id"],
          direction: "desc",
          present: Effect.fnUntraced(function* (rows) {
            const ids: ReadonlyArray<TeamId> = rows.map(({ id }) => id)
            const [presented, found] = yield* records.zipConcurrent(
              presentTeams(records, caller, rows),
              records.find(teamMembers, { where: Where.and(memberships, Where.isIn("team", ids)) })
            )
            const roles = new Map(found.map(({ team, role }) => [team, role]))
            return presented.map((team): MemberTeam => ({ team, member: { role: roles.get(team.id)! } }))
          })
        })
      }
    )
  }
})

const makeMembers = Effect.gen(function* () {
  return { ...(yield* makeReads), ...(yield* makeEdits), ...(yield* makePlaces) }
})

/** Operations on the members of an organization: see {@link MembersOperations}. */
export class Members extends Context.Service<Members, MembersOperations>()("@lectern/core/Members") {
  static readonly layer: Layer.Layer<Members, never, Access | Operations | Encryption> = Layer.effect(
    Members,
    makeMembers
  )
}
