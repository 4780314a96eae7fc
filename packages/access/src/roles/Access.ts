/**
 * Authorization: loads a record for an action of the policy.
 *
 * Each method fails with `NotFound` if the record does not exist or the caller cannot see it, and with `Forbidden` if
 * the caller's role is too low. Operations load their target only here, so none can omit the check. The number of
 * queries depends neither on the depth of content nor on the number of teams: first the record, then the membership and
 * the grants concurrently.
 */

import { makeVersionedCache, Records, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  CacheScope,
  type ChangeRequestRow,
  changeRequests,
  collections,
  isExpired,
  type MemberRow,
  members,
  type SpaceRow,
  sites,
  spaces,
  type TeamMemberRow,
  teamMembers,
  teams
} from "@lectern/kernel/tables"
import type { CollectionId } from "@lectern/model/collections"
import { Conflict, type Forbidden, Gone, NotFound, type Noun } from "@lectern/model/errors"
import type { OrganizationId, TeamId } from "@lectern/model/organizations"
import {
  type ChangeRequestAction,
  type CollectionAction,
  changeRequestActions,
  collectionActions,
  isAtLeast,
  type MemberAction,
  memberActions,
  type OrganizationAction,
  organizationActions,
  type Role,
  type RoleOrGuest,
  type SiteAction,
  type SpaceAction,
  siteActions,
  spaceActions,
  type TeamAction,
  type TeamRelation,
  teamActions
} from "@lectern/model/roles"
import type { SiteId } from "@lectern/model/sites"
import type { SpaceId } from "@lectern/model/spaces"
import type { UserId } from "@lectern/model/users"
import { Clock, Context, Effect, Layer } from "effect"
import { noteCheck } from "../accessChecks.ts"
import {
  requireNoInstallation,
  requireRoleIn,
  requireRoleOn,
  secondFactorRequired,
  ssoRequired
} from "../accessErrors.ts"
import { type Caller, type Placed, roleOn, roleOnSite } from "../Caller.ts"
import { CurrentUser } from "../CurrentUser.ts"
import type { Grant } from "../grants/Grant.ts"
import { organizationGrant, userGrant } from "../grants/issueGrant.ts"
import { SystemGrant } from "../grants/SystemGrant.ts"
import { failHidden } from "../noteAuthorization.ts"
import { makeCallers } from "./callers.ts"
import { requireMembership } from "./requireMembership.ts"
import { makeRequireOnSites } from "./requireOnSites.ts"
import { makeSuspendedCallerIn } from "./suspendedCallers.ts"
import { tokenLimits } from "./tokenLimits.ts"
import { whereRoles } from "./whereRoles.ts"

/** The maximum number of callers and spaces that are cached. */
const maximumCachedRows = 10_000

/** The relation of a user to a team, by their row in it. */
const relationOf = (row: TeamMemberRow | undefined): TeamRelation => row?.role ?? "none"

export { type Caller, roleOn, roleOnSite } from "../Caller.ts"

/** Fails with `NotFound` without access, with `Forbidden` without single sign-on or with a role that is too low. */
const authorizeContent = (
  noun: Noun,
  caller: Caller | undefined,
  role: RoleOrGuest,
  needed: Role
): Effect.Effect<void, NotFound | Forbidden> => {
  if (!isAtLeast(role, "read")) return failHidden(noun)
  if (caller?.ssoRequired === true) return Effect.fail(ssoRequired)
  if (caller?.secondFactorRequired === true) return Effect.fail(secondFactorRequired)
  return requireRoleOn(noun, role, needed)
}

const makeLookups = Effect.gen(function* () {
  const store = yield* Records
  const { records } = yield* SystemGrant.make("Loads the records that authorization depends on.")
  const cached = makeVersionedCache<Caller | SpaceRow>(store, "callers", maximumCachedRows)

  const findSpace = (id: SpaceId) =>
    cached({ key: `space ${id}`, scopes: () => [CacheScope.space(id)] }, () => records.get(spaces, { id }))

  const { admitsContent, admitsSite, whereAdmitted } = tokenLimits(records)

  const { loadCaller, callerIn, callerOn } = makeCallers(records, cached, admitsContent)

  const suspendedCallerIn = makeSuspendedCallerIn(records)

  const grantIn = (organization: OrganizationId): Grant => organizationGrant(store, organization)

  return {
    records,
    findSpace,
    admitsSite,
    whereAdmitted,
    loadCaller,
    callerIn,
    suspendedCallerIn,
    callerOn,
    grantIn
  }
})

type Lookups = Effect.Success<typeof makeLookups>

const makeCallerAccess = Effect.fnUntraced(function* (lookups: Lookups) {
  const { loadCaller, records, whereAdmitted } = lookups
  const store = yield* Records

  return {
    /**
     * Loads a user as a caller in an organization. Returns undefined if they are not a member or are disabled.
     * `targets` limits the grants to load to these spaces and collections; all grants by default.
     */
    loadCaller,

    /** The current user, with the grant of their own rows and of the rows of their organizations. */
    signedIn: Effect.map(CurrentUser, (user) => {
      if (user.visitor !== undefined) throw new TypeError("A visitor of a site is not a signed-in user.")
      return { user, grant: userGrant(store, user) }
    }),

    /**
     * Fails with `Forbidden` if a role on a space does not permit another action on it, or if the caller has the token of an
     * installation: no scope of an integration includes the actions that only some inputs require.
     */
    requireOnSpace: (role: RoleOrGuest, action: SpaceAction): Effect.Effect<void, Forbidden, CurrentUser> =>
      Effect.andThen(requireNoInstallation, requireRoleOn("space", role, spaceActions[action])),

    /** Fails with `Forbidden` if a role on a collection does not permit another action on it. */
    requireOnCollection: (role: RoleOrGuest, action: CollectionAction): Effect.Effect<void, Forbidden> =>
      requireRoleOn("collection", role, collectionActions[action]),

    /** Fails with `Forbidden` if the role of a caller in the organization is too low for an action there. */
    requireInOrganization: (caller: Caller, action: OrganizationAction): Effect.Effect<void, Forbidden> =>
      noteCheck(
        ["organization", caller.organization, action],
        requireRoleIn(caller.role, organizationActions[action])
      ),

    /**
     * Returns the condition that spaces or collections of an organization match if the caller can see them, and the token of
     * the current user admits them.
     */
    whereVisible: (caller: Caller): Effect.Effect<Where.Where<Placed>, StorageUnavailable, CurrentUser> =>
      Effect.zipWith(whereRoles(records, caller), whereAdmitted, (visible, admitted) =>
        admitted.op === "all" ? visible : Where.and<Placed>(visible, admitted)
      ),

    requireOnSites: makeRequireOnSites(lookups),
    /** The condition that spaces and collections match if the token of the current user admits them. */
    whereAdmitted
  }
})

const makeOrganizationAccess = Effect.fnUntraced(function* ({
  callerIn,
  grantIn,
  records,
  admitsSite
}: Lookups) {
  return {
    /**
     * Authorizes an action in an organization. Fails with `NotFound` if the caller is not a member, and with
     * `Forbidden` if their role is too low or they have not logged in by single sign-on, which `signOn` does not
     * require.
     */
    organization: Effect.fnUntraced(
      function* (id: OrganizationId, action: OrganizationAction) {
        const caller = yield* callerIn(id)
        const grant = grantIn(id)
        if (action === "signOn" && caller !== undefined) return { caller, grant }
        yield* requireRoleIn((yield* requireMembership(caller)).role, organizationActions[action])
        return { caller: caller!, grant }
      },
      (checked, id, action) => noteCheck(["organization", id, action], checked)
    ),

    /**
     * Loads a membership for an action, whose role depends on whether the membership is the caller's own. Fails with
     * `NotFound` if it does not exist or the caller is not permitted to list members, with `Forbidden` if their role is
     * too low.
     */
    member: Effect.fnUntraced(
      function* (organization: OrganizationId, user: UserId, action: MemberAction) {
        const [found, member] = yield* records.zipConcurrent(
          callerIn(organization),
          records.get(members, { organization, user })
        )
        const caller = yield* requireMembership(found)
        const isOwn = caller.user === user
        // Otherwise, callers who cannot list members could find out who is one.
        if (!isOwn && !isAtLeast(caller.role, organizationActions.listMembers)) {
          return yield* NotFound.of("member")
        }
        if (member === undefined) return yield* NotFound.of("member")
        yield* requireRoleIn(caller.role, memberActions[action][isOwn ? "own" : "other"])
        return { caller, member: member as MemberRow, grant: grantIn(organization) }
      },
      (checked, organization, user, action) => noteCheck(["member", organization, user, action], checked)
    ),

    /**
     * Loads a team for an action, whose role depends on the caller's relation to the team. Fails with `NotFound` if it
     * does not exist or the caller cannot see it, with `Forbidden` if their role is too low.
     */
    team: Effect.fnUntraced(
      function* (organization: OrganizationId, id: TeamId, action: TeamAction) {
        const user = (yield* CurrentUser).id
        const [found, [team, own]] = yield* records.zipConcurrent(
          callerIn(organization),
          records.zipConcurrent(records.get(teams, { id }), records.get(teamMembers, { team: id, user }))
        )
        const caller = yield* requireMembership(found)
        const relation = relationOf(own)
        const viewRole = teamActions.view[relation]
        if (team?.organization !== organization || (viewRole !== null && !isAtLeast(caller.role, viewRole))) {
          return yield* NotFound.of("team")
        }
        yield* requireRoleIn(caller.role, teamActions[action][relation])
        return { caller, team, relation, grant: grantIn(organization) }
      },
      (checked, organization, id, action) => noteCheck(["team", organization, id, action], checked)
    ),

    /**
     * Loads a site for an action, with the caller's role on it. Fails with `NotFound` if it does not exist or the caller
     * cannot see it, with `Forbidden` if their role is too low.
     */
    site: Effect.fnUntraced(
      function* (organization: OrganizationId, id: SiteId, action: SiteAction) {
        const [found, site] = yield* records.zipConcurrent(callerIn(organization), records.get(sites, { id }))
        const caller = yield* requireMembership(found)
        if (site?.organization !== organization) return yield* NotFound.of("site")
        const role = roleOnSite(caller, id)
        if (!isAtLeast(role, siteActions.view) || !(yield* admitsSite(id))) return yield* failHidden("site")
        yield* requireRoleOn("site", role, siteActions[action])
        return { caller, site, role, grant: grantIn(organization) }
      },
      (checked, organization, id, action) => noteCheck(["site", organization, id, action], checked)
    )
  }
})

const makeDeletedAccess = ({ suspendedCallerIn, grantIn }: Lookups) => ({
  /**
   * Authorizes an action in an organization in the trash, for which no other action is possible. Fails with `NotFound` if the caller
   * had no access to it, and with `Forbidden` as `organization` does.
   */
  deletedOrganization: Effect.fnUntraced(
    function* (id: OrganizationId, action: OrganizationAction) {
      const caller = yield* requireMembership(yield* suspendedCallerIn(id))
      yield* requireRoleIn(caller.role, organizationActions[action])
      return { caller, grant: grantIn(id) }
    },
    (checked, id, action) => noteCheck(["organization", id, action], checked)
  )
})

const makeContentAccess = Effect.fnUntraced(function* ({ records, callerOn, grantIn, findSpace }: Lookups) {
  /** Authorizes an action on a space that was loaded. */
  const authorizeSpace = Effect.fnUntraced(function* (space: SpaceRow | undefined, action: SpaceAction) {
    if (space === undefined) return yield* NotFound.of("space")
    const caller = yield* callerOn(space, action)
    const role = caller === undefined ? null : roleOn(caller, space)
    if (space.deletedAt === null) {
      yield* authorizeContent("space", caller, role, spaceActions[action])
      return { space, caller: caller!, role, grant: grantIn(space.organization) }
    }
    if (!isAtLeast(role, spaceActions.restore) || action === "read") return yield* NotFound.of("space")
    yield* authorizeContent("space", caller, role, spaceActions.restore)
    if (isExpired(space, yield* Clock.currentTimeMillis)) {
      return yield* action === "restore"
        ? new Gone({
            reason: "RetentionExpired",
            message: "The space was deleted more than 7 days ago and can no longer be restored."
          })
        : NotFound.of("space")
    }
    if (action !== "view" && action !== "restore") {
      return yield* new Conflict({
        reason: "SpaceDeleted",
        message: "The space is in the trash. Restore it first."
      })
    }
    return { space, caller: caller!, role, grant: grantIn(space.organization) }
  })

  const findCollection = Effect.fnUntraced(function* (
    id: CollectionId,
    action: CollectionAction,
    loaded?: Caller
  ) {
    const collection = yield* records.get(collections, { id })
    if (collection === undefined) return yield* NotFound.of("collection")
    const isLoaded = loaded?.organization === collection.organization
    const caller = isLoaded ? loaded : yield* callerOn(collection, action)
    const role = caller === undefined ? null : roleOn(caller, collection)
    yield* authorizeContent("collection", caller, role, collectionActions[action])
    return { collection, caller: caller!, role, grant: grantIn(collection.organization) }
  })

  return {
    /**
     * Loads a collection for an action, with the caller's role on it. Fails with `NotFound` if it does not exist or the
     * caller cannot see it, with `Forbidden` if their role is too low. `loaded` is the caller if it is loaded already.
     */
    collection: (id: CollectionId, action: CollectionAction, loaded?: Caller) =>
      noteCheck(["collection", id, action], findCollection(id, action, loaded)),

    /**
     * Loads a space for an action, with the caller's role on it. Fails with `NotFound` if it does not exist or the
     * caller cannot see it, with `Forbidden` if their role is too low.
     *
     * A space in the trash exists only for its administrators, who can view and restore it: other actions fail with
     * `Conflict`, and `restore` fails with `Gone` after the retention period.
     */
    space: (id: SpaceId, action: SpaceAction) =>
      noteCheck(
        ["space", id, action],
        Effect.flatMap(findSpace(id), (space) => authorizeSpace(space, action))
      ),

    /**
     * Loads a change request of a space, by its id or its number, for an action, whose role depends on whether the
     * caller created it. Fails with `NotFound` if either does not exist, the space is in the trash or the caller cannot
     * see it, and with `Forbidden` if their role is too low.
     */
    changeRequest: Effect.fnUntraced(
      function* (id: SpaceId, ref: string, action: ChangeRequestAction) {
        const number = /^[1-9]\d{0,8}$/.test(ref) ? Number(ref) : undefined
        const [space, changeRequest] = yield* records.zipConcurrent(
          findSpace(id),
          records.first(changeRequests, {
            where: Where.and<ChangeRequestRow>(
              Where.eq("space", id),
              number === undefined
                ? Where.eq("id", ref as ChangeRequestRow["id"])
                : Where.eq("number", number)
            )
          })
        )
        const authorized = yield* authorizeSpace(space, "read")
        if (changeRequest === undefined) return yield* NotFound.of("change request")
        const authorship = changeRequest.createdBy === authorized.caller.user ? "own" : "other"
        yield* authorizeContent(
          "space",
          authorized.caller,
          authorized.role,
          changeRequestActions[action][authorship]
        )
        return { ...authorized, changeRequest }
      },
      (checked, id, ref, action) => noteCheck(["changeRequest", id, ref, action], checked)
    )
  }
})

const makeAccess = Effect.gen(function* () {
  const lookups = yield* makeLookups
  return {
    ...(yield* makeCallerAccess(lookups)),
    ...(yield* makeOrganizationAccess(lookups)),
    ...makeDeletedAccess(lookups),
    ...(yield* makeContentAccess(lookups))
  }
})

/** The methods of {@link Access}. */
export interface AccessService extends Effect.Success<typeof makeAccess> {}

/**
 * Loads records for actions, on behalf of the `CurrentUser`. Features of hosts use it through the `allow` of
 * `Operations`.
 */
export class Access extends Context.Service<Access, AccessService>()("@lectern/core/Access") {
  /** Provides the service over the records of the workspace. */
  static readonly layer: Layer.Layer<Access, never, Records> = Layer.effect(Access, makeAccess)
}
