/**
 * The way to a record: by naming what one is about to do with it.
 *
 * Each method loads what it is asked for and answers `NotFound` where the caller may not even see it (or there is
 * nothing to see) and `Forbidden` where their role is too low. There is no other loader, so an operation cannot
 * forget to ask. The number of look-ups is the same however deep content is nested and however many teams the
 * caller is in: the record, then the membership and the grants at once.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Conflict, Forbidden, Gone, NotFound, type Noun } from "../kernel/errors.ts"
import { Records, type StorageUnavailable, Where } from "../kernel/storage/index.ts"
import { type ChangeRequestRow, changeRequests } from "../model/change-requests/ChangeRequest.ts"
import { type CollectionId, type CollectionRow, collections } from "../model/collections/Collection.ts"
import * as Placement from "../model/collections/Placement.ts"
import { type MemberRow, members } from "../model/organizations/Member.ts"
import type { OrganizationId } from "../model/organizations/Organization.ts"
import { type TeamId, type TeamMemberRow, teamMembers, teams } from "../model/organizations/Team.ts"
import { type GrantRow, grants } from "../model/permissions/Permission.ts"
import {
  type ChangeRequestAction,
  type CollectionAction,
  changeRequestActions,
  collectionActions,
  type MemberAction,
  memberActions,
  type OrganizationAction,
  organizationActions,
  type SiteAction,
  type SpaceAction,
  siteActions,
  spaceActions,
  type TeamAction,
  teamActions
} from "../model/roles/Policy.ts"
import { highest, isAtLeast, type Role, type RoleOrGuest, rolesFrom } from "../model/roles/Role.ts"
import { type SiteId, sites } from "../model/sites/Site.ts"
import { type SpaceId, type SpaceRow, spaces } from "../model/spaces/Space.ts"
import { isExpired } from "../model/spaces/SpaceRules.ts"
import type { UserId } from "../model/users/User.ts"
import { CurrentUser } from "./CurrentUser.ts"
import type { Grant } from "./grants/Grant.ts"
import { organizationGrant, userGrant } from "./grants/issueGrant.ts"
import { SystemGrant } from "./grants/SystemGrant.ts"

/** What a caller is in an organization. */
export interface Caller {
  readonly user: UserId
  readonly organization: OrganizationId
  /** Their role in the organization; null for a guest. */
  readonly role: RoleOrGuest
  /** The highest role that was granted to them or to one of their teams, by space or collection. */
  readonly granted: ReadonlyMap<string, Role>
  /** Whether the organization asks for single sign-on, and they have not come by it: then they may do nothing. */
  readonly isRefused: boolean
}

/** What somebody is in a team, by their row in it. */
const placeOf = (row: TeamMemberRow | undefined) => row?.role ?? "outside"

/** What access to content depends on: the columns that spaces and collections share. */
interface Placed {
  readonly id: string
  readonly organization: OrganizationId
  readonly path: string
  readonly level: CollectionRow["level"]
}

/**
 * The role of a caller on a piece of content: for an administrator of the organization `admin`; for others the
 * highest of the content's level (their role in the organization where all inherit it; nothing for guests) and of
 * the grants on it and on the collections above it.
 */
export const roleOn = (caller: Caller, content: Placed): RoleOrGuest => {
  if (caller.role === "admin") return "admin"
  const level = caller.role === null ? null : content.level === "inherit" ? caller.role : content.level
  if (caller.granted.size === 0) return level
  const above = Placement.ancestorsOf(content.path)
  return highest([level, ...[content.id, ...above].map((target) => caller.granted.get(target) ?? null)])
}

/** What somebody is answered who has to come by single sign-on, where they would see the resource. */
const ssoRequired = new Forbidden({
  reason: "SsoRequired",
  message: "The organization asks for single sign-on: log in by one of the addresses of its /sso list."
})

const requireRole = (noun: Noun, role: RoleOrGuest, needed: Role): Effect.Effect<void, Forbidden> =>
  isAtLeast(role, needed)
    ? Effect.void
    : Effect.fail(
        new Forbidden({
          reason: "RoleTooLow",
          message: `This needs the role "${needed}" on the ${noun}; yours is "${role}".`
        })
      )

const makeAccess = Effect.gen(function* () {
  const store = yield* Records
  const { records } = yield* SystemGrant.make("Loads what authorization decides on.")

  const grantIn = (organization: OrganizationId): Grant => organizationGrant(store, organization)

  /** What a user is in an organization, by what is granted on the targets, or anywhere; undefined for outsiders. */
  const callerAs = Effect.fnUntraced(function* (
    user: UserId,
    organization: OrganizationId,
    targets?: ReadonlyArray<string>
  ): Effect.fn.Return<Caller | undefined, StorageUnavailable> {
    const theirs = Where.or<GrantRow>(
      Where.eq("user", user),
      records.inSelect("team", teamMembers, "team", Where.eq("user", user))
    )
    const [member, given] = yield* records.both(
      records.get(members, { organization, user }, ["role", "disabled", "ssoMissing"]),
      records.find(grants, {
        select: ["target", "role"],
        where: Where.and<GrantRow>(
          Where.eq("organization", organization),
          targets === undefined ? Where.all : Where.isIn("target", targets),
          theirs
        )
      })
    )
    if (member === undefined || member.disabled) return undefined
    const granted = new Map<string, Role>()
    for (const grant of given) {
      const before = granted.get(grant.target)
      if (before === undefined || !isAtLeast(before, grant.role)) granted.set(grant.target, grant.role)
    }
    return { user, organization, role: member.role, granted, isRefused: member.ssoMissing }
  })

  const callerIn = Effect.fnUntraced(function* (
    organization: OrganizationId,
    targets?: ReadonlyArray<string>
  ): Effect.fn.Return<Caller | undefined, StorageUnavailable, CurrentUser> {
    const current = yield* CurrentUser
    if (current.organization !== undefined && current.organization !== organization) return undefined
    return yield* callerAs(current.id, organization, targets)
  })

  /** To look at content, the grants on its way up are enough; any other action may meet other content too. */
  const callerOn = (content: Placed, action: string) =>
    callerIn(
      content.organization,
      action === "view" || action === "read"
        ? [content.id, ...Placement.ancestorsOf(content.path)]
        : undefined
    )

  const check = (
    noun: Noun,
    caller: Caller | undefined,
    role: RoleOrGuest,
    needed: Role
  ): Effect.Effect<void, NotFound | Forbidden> => {
    if (!isAtLeast(role, "read")) return Effect.fail(NotFound.of(noun))
    if (caller?.isRefused === true) return Effect.fail(ssoRequired)
    return requireRole(noun, role, needed)
  }

  /** A space that was looked up, for the action. */
  const enter = Effect.fnUntraced(function* (space: SpaceRow | undefined, action: SpaceAction) {
    if (space === undefined) return yield* NotFound.of("space")
    const caller = yield* callerOn(space, action)
    const role = caller === undefined ? null : roleOn(caller, space)
    if (space.deletedAt === null) {
      yield* check("space", caller, role, spaceActions[action])
      return { space, caller: caller!, role, grant: grantIn(space.organization) }
    }
    if (!isAtLeast(role, spaceActions.restore) || action === "read") return yield* NotFound.of("space")
    yield* check("space", caller, role, spaceActions.restore)
    if (isExpired(space, yield* Clock.currentTimeMillis)) {
      return yield* action === "restore"
        ? new Gone({
            reason: "RetentionExpired",
            message: "The space was deleted more than 7 days ago and cannot be restored any more."
          })
        : NotFound.of("space")
    }
    if (action !== "view" && action !== "restore") {
      return yield* new Conflict({
        reason: "SpaceDeleted",
        message: "The space is deleted; restore it first."
      })
    }
    return { space, caller: caller!, role, grant: grantIn(space.organization) }
  })

  /** Whether a member may do what needs a role in the organization; null where being a member is enough. */
  const demand = (caller: Caller, needed: RoleOrGuest): Effect.Effect<void, Forbidden> =>
    needed === null || isAtLeast(caller.role, needed)
      ? Effect.void
      : Effect.fail(
          new Forbidden({
            reason: "RoleTooLow",
            message: `This needs the role "${needed}" in the organization; yours is "${caller.role ?? "guest"}".`
          })
        )

  /** The caller's place in an organization that they are in. Outsiders do not learn that it exists. */
  const entered = Effect.fnUntraced(function* (
    caller: Caller | undefined
  ): Effect.fn.Return<Caller, NotFound | Forbidden> {
    if (caller === undefined) return yield* NotFound.of("organization")
    if (caller.isRefused) return yield* ssoRequired
    return caller
  })

  return {
    callerAs,

    /** The caller, with the grant of their own rows and of the rows of the organizations that they are a member of. */
    signedIn: Effect.map(CurrentUser, (user) => ({
      user,
      grant: userGrant(store, user)
    })),

    /** Whether a role on a space that was found is enough for another action on it. */
    requireOnSpace: (role: RoleOrGuest, action: SpaceAction): Effect.Effect<void, Forbidden> =>
      requireRole("space", role, spaceActions[action]),

    /** Fails with `Forbidden` if a role on a collection does not permit another action on it. */
    requireOnCollection: (role: RoleOrGuest, action: CollectionAction): Effect.Effect<void, Forbidden> =>
      requireRole("collection", role, collectionActions[action]),

    /** The caller's place in an organization, for the action. Outsiders do not learn that it exists. */
    organization: Effect.fnUntraced(function* (id: OrganizationId, action: OrganizationAction) {
      const caller = yield* callerIn(id)
      const grant = grantIn(id)
      if (action === "signOn" && caller !== undefined) return { caller, grant }
      yield* demand(yield* entered(caller), organizationActions[action])
      return { caller: caller!, grant }
    }),

    /** A membership in an organization, for the action: what that needs depends on whether it is the caller's own. */
    member: Effect.fnUntraced(function* (organization: OrganizationId, user: UserId, action: MemberAction) {
      const [found, member] = yield* records.both(
        callerIn(organization),
        records.get(members, { organization, user })
      )
      const caller = yield* entered(found)
      const isOwn = caller.user === user
      // Those who may not list members do not learn who is one.
      if (!isOwn && !isAtLeast(caller.role, organizationActions.listMembers)) {
        return yield* NotFound.of("member")
      }
      if (member === undefined) return yield* NotFound.of("member")
      yield* demand(caller, memberActions[action][isOwn ? "own" : "other"])
      return { caller, member: member as MemberRow, grant: grantIn(organization) }
    }),

    /** A team of an organization, for the action: what that needs depends on what the caller is in the team. */
    team: Effect.fnUntraced(function* (organization: OrganizationId, id: TeamId, action: TeamAction) {
      const user = (yield* CurrentUser).id
      const [found, [team, own]] = yield* records.both(
        callerIn(organization),
        records.both(records.get(teams, { id }), records.get(teamMembers, { team: id, user }))
      )
      const caller = yield* entered(found)
      const place = placeOf(own)
      const sees = teamActions.view[place]
      if (team?.organization !== organization || (sees !== null && !isAtLeast(caller.role, sees))) {
        return yield* NotFound.of("team")
      }
      yield* demand(caller, teamActions[action][place])
      return { caller, team, place, grant: grantIn(organization) }
    }),

    /** Whether a caller in an organization may do something there. */
    requireInOrganization: (caller: Caller, action: OrganizationAction): Effect.Effect<void, Forbidden> =>
      demand(caller, organizationActions[action]),

    /** A collection, for the action, with the caller's role on it. `known` is the caller, where that is loaded. */
    collection: Effect.fnUntraced(function* (id: CollectionId, action: CollectionAction, known?: Caller) {
      const collection = yield* records.get(collections, { id })
      if (collection === undefined) return yield* NotFound.of("collection")
      const isKnown = known?.organization === collection.organization
      const caller = isKnown ? known : yield* callerOn(collection, action)
      const role = caller === undefined ? null : roleOn(caller, collection)
      yield* check("collection", caller, role, collectionActions[action])
      return { collection, caller: caller!, role, grant: grantIn(collection.organization) }
    }),

    /**
     * A space, for the action, with the caller's role on it. One in the bin is only there for its administrators,
     * to look at and to restore, and for no longer than it can be restored.
     */
    space: (id: SpaceId, action: SpaceAction) =>
      Effect.flatMap(records.get(spaces, { id }), (space) => enter(space, action)),

    /**
     * A change request of a space, by its id or its number, for the action: what that needs depends on whose it is.
     * The content of a space in the bin is not there.
     */
    changeRequest: Effect.fnUntraced(function* (id: SpaceId, ref: string, action: ChangeRequestAction) {
      const number = /^[1-9]\d{0,8}$/.test(ref) ? Number(ref) : undefined
      const [space, changeRequest] = yield* records.both(
        records.get(spaces, { id }),
        records.first(changeRequests, {
          where: Where.and<ChangeRequestRow>(
            Where.eq("space", id),
            number === undefined ? Where.eq("id", ref as ChangeRequestRow["id"]) : Where.eq("number", number)
          )
        })
      )
      const entered = yield* enter(space, "read")
      if (changeRequest === undefined) return yield* NotFound.of("change request")
      const whose = changeRequest.createdBy === entered.caller.user ? "own" : "other"
      yield* check("space", entered.caller, entered.role, changeRequestActions[action][whose])
      return { ...entered, changeRequest }
    }),

    /** A site, for the action. Guests do not see the sites of an organization. */
    site: Effect.fnUntraced(function* (organization: OrganizationId, id: SiteId, action: SiteAction) {
      const [found, site] = yield* records.both(callerIn(organization), records.get(sites, { id }))
      const caller = yield* entered(found)
      if (site?.organization !== organization || !isAtLeast(caller.role, siteActions.view)) {
        return yield* NotFound.of("site")
      }
      yield* demand(caller, siteActions[action])
      return { caller, site, grant: grantIn(organization) }
    }),

    /** The condition on spaces or collections of an organization under which the caller may see them. */
    visible: Effect.fnUntraced(function* (
      caller: Caller
    ): Effect.fn.Return<Where.Where<Placed>, StorageUnavailable> {
      if (caller.role === "admin") return Where.all
      const byLevel: Where.Where<Placed> =
        caller.role === null
          ? Where.none
          : Where.isIn<Placed, "level">("level", ["inherit", ...rolesFrom("read")])
      if (caller.granted.size === 0) return byLevel
      const targets = [...caller.granted.keys()]
      const folders = yield* records.find(collections, {
        where: Where.and<CollectionRow>(
          Where.eq("organization", caller.organization),
          Where.isIn(
            "id",
            targets.map((id) => id as CollectionId)
          )
        )
      })
      return Where.or<Placed>(
        byLevel,
        Where.isIn("id", targets),
        ...folders.map((folder) => Where.startsWith<Placed, "path">("path", Placement.pathIn(folder)))
      )
    })
  }
})

/** The methods of {@link Access}. */
export interface AccessService extends Effect.Success<typeof makeAccess> {}

/** See the module's comment. */
export class Access extends Context.Service<Access, AccessService>()("@lectern/core/Access") {
  static readonly layer: Layer.Layer<Access, never, Records> = Layer.effect(Access, makeAccess)
}
