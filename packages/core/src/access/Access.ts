/**
 * The way to a record: by naming what one is about to do with it.
 *
 * Each method loads what it is asked for and answers `NotFound` where the caller may not even see it (or there is
 * nothing to see) and `Forbidden` where their role is too low. There is no other loader, so an operation cannot
 * forget to ask. The number of look-ups is the same however deep content is nested and however many teams the
 * caller is in: the record, then the membership and the grants at once.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { type ChangeRequestRow, changeRequests } from "../change-requests/ChangeRequest.ts"
import { type CollectionId, type CollectionRow, collections } from "../collections/Collection.ts"
import * as Placement from "../collections/Placement.ts"
import { Conflict, Forbidden, Gone, NotFound } from "../errors.ts"
import { members } from "../organizations/Member.ts"
import type { OrganizationId } from "../organizations/Organization.ts"
import { teamMembers } from "../organizations/Team.ts"
import type { UserId } from "../organizations/User.ts"
import { type SpaceId, type SpaceRow, spaces } from "../spaces/Space.ts"
import { isExpired } from "../spaces/SpaceRules.ts"
import { Records, type StorageUnavailable, Where } from "../storage/index.ts"
import { CurrentUser } from "./CurrentUser.ts"
import { type GrantRow, grants } from "./Grant.ts"
import {
  type ChangeRequestAction,
  type CollectionAction,
  changeRequestActions,
  collectionActions,
  type OrganizationAction,
  organizationActions,
  type SpaceAction,
  spaceActions
} from "./Policy.ts"
import { highest, isAtLeast, type Role, type RoleOrGuest, rolesFrom } from "./Role.ts"

/** What a caller is in an organization. */
export interface Caller {
  readonly user: UserId
  readonly organization: OrganizationId
  /** Their role in the organization; null for a guest. */
  readonly role: RoleOrGuest
  /** The highest role that was granted to them or to one of their teams, by space or collection. */
  readonly granted: ReadonlyMap<string, Role>
}

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

const make = Effect.gen(function* () {
  const records = yield* Records

  const callerIn = Effect.fnUntraced(function* (
    organization: OrganizationId,
    targets?: ReadonlyArray<string>
  ): Effect.fn.Return<Caller | undefined, StorageUnavailable, CurrentUser> {
    const user = (yield* CurrentUser).id
    const theirs = Where.or<GrantRow>(
      Where.eq("user", user),
      Where.inSelect("team", teamMembers, "team", Where.eq("user", user))
    )
    const [member, given] = yield* records.both(
      records.get(members, { organization, user }, ["role", "disabled"]),
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
    return { user, organization, role: member.role, granted }
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
    noun: string,
    role: RoleOrGuest,
    needed: Role
  ): Effect.Effect<void, NotFound | Forbidden> => {
    if (isAtLeast(role, needed)) return Effect.void
    if (!isAtLeast(role, "read")) return Effect.fail(NotFound.of(noun))
    return Effect.fail(
      new Forbidden({ message: `This needs the role "${needed}" on the ${noun}; yours is "${role}".` })
    )
  }

  /** A space that was looked up, for the action. */
  const enter = Effect.fnUntraced(function* (space: SpaceRow | undefined, action: SpaceAction) {
    if (space === undefined) return yield* NotFound.of("space")
    const caller = yield* callerOn(space, action)
    const role = caller === undefined ? null : roleOn(caller, space)
    if (space.deletedAt === null) {
      yield* check("space", role, spaceActions[action])
      return { space, caller: caller!, role }
    }
    if (!isAtLeast(role, spaceActions.restore) || action === "read") return yield* NotFound.of("space")
    if (isExpired(space, yield* Clock.currentTimeMillis)) {
      return yield* action === "restore"
        ? new Gone({
            message: "The space was deleted more than 7 days ago and cannot be restored any more."
          })
        : NotFound.of("space")
    }
    if (action !== "view" && action !== "restore") {
      return yield* new Conflict({ message: "The space is deleted; restore it first." })
    }
    return { space, caller: caller!, role }
  })

  return {
    /** The caller's place in an organization, for the action. Outsiders do not learn that it exists. */
    organization: Effect.fnUntraced(function* (id: OrganizationId, action: OrganizationAction) {
      const caller = yield* callerIn(id)
      if (caller === undefined) return yield* NotFound.of("organization")
      const needed = organizationActions[action]
      if (needed !== null && !isAtLeast(caller.role, needed)) {
        return yield* new Forbidden({
          message: `This needs the role "${needed}" in the organization; yours is "${caller.role ?? "guest"}".`
        })
      }
      return caller
    }),

    /** A collection, for the action, with the caller's role on it. */
    collection: Effect.fnUntraced(function* (id: CollectionId, action: CollectionAction) {
      const collection = yield* records.get(collections, { id })
      if (collection === undefined) return yield* NotFound.of("collection")
      const caller = yield* callerOn(collection, action)
      const role = caller === undefined ? null : roleOn(caller, collection)
      yield* check("collection", role, collectionActions[action])
      return { collection, caller: caller!, role }
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
      yield* check("space", entered.role, changeRequestActions[action][whose])
      return { ...entered, changeRequest }
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

/** See the module's comment. */
export class Access extends Context.Service<Access, Effect.Success<typeof make>>()(
  "@lectern/core/access/Access"
) {
  static readonly layer: Layer.Layer<Access, never, Records> = Layer.effect(Access, make)
}
