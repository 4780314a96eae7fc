/** Grants: roles on content for single users and teams, in addition to its default level. */
import * as Schema from "effect/Schema"
import { CollectionId } from "../collections/Collection.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import { Team, TeamId } from "../organizations/Team.ts"
import { Role, RoleOrGuest } from "../roles/Role.ts"
import { PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { SiteId } from "../sites/Site.ts"
import { SpaceId } from "../spaces/Space.ts"
import { User, UserId } from "../users/User.ts"

class SharedSpace extends resource<SharedSpace>()(
  Schema.Struct({
    /** The id of the space. */
    space: SpaceId
  })
) {}

class SharedCollection extends resource<SharedCollection>()(
  Schema.Struct({
    /** The id of the collection. */
    collection: CollectionId
  })
) {}

class SharedSite extends resource<SharedSite>()(
  Schema.Struct({
    /** The id of the organization of the site. */
    organization: OrganizationId,
    /** The id of the site. */
    site: SiteId
  })
) {}

/** A reference to content that can be shared: a space, a collection with everything in it, or a site. */
export const SharedContent = Schema.Union([SharedSpace, SharedCollection, SharedSite])

/** A reference to content that can be shared: a space, a collection with everything in it, or a site. */
export type SharedContent = SharedSpace | SharedCollection | SharedSite

/** The role of a user on content. */
export class UserPermission extends resource<UserPermission>()(
  Schema.Struct({
    /** The role on the content. */
    permission: Role,
    /** The user. */
    user: User
  }).annotate({ identifier: "UserPermission" })
) {}

/** The role of a team on content. */
export class TeamPermission extends resource<TeamPermission>()(
  Schema.Struct({
    /** The role on the content. */
    permission: Role,
    /** The team. */
    team: Team
  }).annotate({ identifier: "TeamPermission" })
) {}

/** The maximum number of users, and of teams, in one request. */
const maximumShared = 100

const idsOf = <S extends Schema.Top>(item: S) =>
  Schema.Array(item).check(
    Schema.isMinLength(1, { message: "must be at least 1 id" }),
    Schema.isMaxLength(maximumShared, { message: `must be at most ${maximumShared} ids` })
  )

/** The users and teams to share content with, at least one of them, and their role. */
export class Share extends resource<Share>()(
  Schema.Struct({
    /** The role of all of them on the content; null removes the roles that they were granted on it. */
    role: RoleOrGuest,
    /** The users, members of the organization, 1 to 100. Required when `teams` is absent. */
    users: Schema.optionalKey(idsOf(UserId)),
    /** The teams of the organization, 1 to 100. Required when `users` is absent. */
    teams: Schema.optionalKey(idsOf(TeamId))
  })
    .check(
      Schema.makeFilter(({ users, teams }: { readonly users?: unknown; readonly teams?: unknown }) =>
        users === undefined && teams === undefined ? "must name users or teams" : undefined
      )
    )
    .annotate({ identifier: "Share" })
) {}

/** The role to grant to a user or a team. */
export class UpdatePermission extends resource<UpdatePermission>()(
  Schema.Struct({
    /** The role on the content; null removes the role that was granted on it. */
    role: RoleOrGuest
  }).annotate({ identifier: "UpdatePermission" })
) {}

/** The filter and page of a list of all members who can see content. */
export class ListPermissions extends resource<ListPermissions>()(
  Schema.Struct({
    ...PageQuery.fields,
    /** Only members whose role on the content is exactly this one. */
    role: Schema.optionalKey(Role)
  })
) {}
