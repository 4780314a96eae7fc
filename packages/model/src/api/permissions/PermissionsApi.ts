import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import type * as Schema from "effect/Schema"
import {
  CollectionId,
  ListPermissions,
  OrganizationId,
  pageOf,
  Share,
  SiteId,
  SpaceId,
  TeamId,
  TeamPermission,
  UpdatePermission,
  UserId,
  UserPermission
} from "../../index.ts"
import { changing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"

/** Declares the operations on the direct permissions below a path. `suffix` is the end of their ids. */
const directPermissionEndpoints = <
  const Suffix extends "Space" | "Collection" | "Site",
  const Path extends `/${string}/permissions`,
  const Content extends { readonly [name: string]: Schema.Codec<string, string> }
>(
  suffix: Suffix,
  path: Path,
  content: Content
) => {
  const contentName = suffix.toLowerCase()
  const user = { ...content, userId: UserId }
  const team = { ...content, teamId: TeamId }
  return [
    HttpApiEndpoint.post(`inviteTo${suffix}` as const, path, {
      params: content,
      payload: Share,
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(
      describe(
        `Share a ${contentName}`,
        `Grants a role to members and teams. \`null\` removes their direct permissions.${
          suffix === "Site"
            ? " Members with the role `create` publish the site and choose its audience, and can thus read the published content of all of its spaces."
            : ""
        }`
      )
    ),
    HttpApiEndpoint.get(`listUserPermissionsIn${suffix}` as const, `${path}/users` as const, {
      params: content,
      query: page,
      success: pageOf(UserPermission),
      error: reading
    }).annotateMerge(
      describe(
        `List the users of a ${contentName}`,
        "Returns the users with a direct permission, most recent first."
      )
    ),
    HttpApiEndpoint.patch(`updateUserPermissionIn${suffix}` as const, `${path}/users/:userId` as const, {
      params: user,
      payload: UpdatePermission,
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(
      describe(
        `Update a user of a ${contentName}`,
        "Sets the role of a member. `null` removes their direct permission."
      )
    ),
    HttpApiEndpoint.delete(`removeUserFrom${suffix}` as const, `${path}/users/:userId` as const, {
      params: user,
      success: HttpApiSchema.Empty(205),
      error: changing
    }).annotateMerge(
      describe(
        `Remove a user from a ${contentName}`,
        "Removes the direct permission of the user. Permissions from other sources are not affected."
      )
    ),
    HttpApiEndpoint.get(`listTeamPermissionsIn${suffix}` as const, `${path}/teams` as const, {
      params: content,
      query: page,
      success: pageOf(TeamPermission),
      error: reading
    }).annotateMerge(
      describe(
        `List the teams of a ${contentName}`,
        "Returns the teams with a direct permission, most recent first."
      )
    ),
    HttpApiEndpoint.patch(`updateTeamPermissionIn${suffix}` as const, `${path}/teams/:teamId` as const, {
      params: team,
      payload: UpdatePermission,
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(
      describe(
        `Update a team of a ${contentName}`,
        "Sets the role of a team. `null` removes its direct permission."
      )
    ),
    HttpApiEndpoint.delete(`removeTeamFrom${suffix}` as const, `${path}/teams/:teamId` as const, {
      params: team,
      success: HttpApiSchema.Empty(205),
      error: changing
    }).annotateMerge(
      describe(
        `Remove a team from a ${contentName}`,
        "Removes the direct permission of the team. Its members' permissions from other sources are not affected."
      )
    )
  ] as const
}

/** Declares the operations on the permissions below a path of content, in which collections can have permissions too. */
const permissionEndpoints = <
  const Suffix extends "Space" | "Collection",
  const Path extends `/${string}/permissions`,
  const Content extends { readonly [name: string]: Schema.Codec<string, string> }
>(
  suffix: Suffix,
  path: Path,
  content: Content
) =>
  [
    ...directPermissionEndpoints(suffix, path, content),
    HttpApiEndpoint.get(`listPermissionsAggregateIn${suffix}` as const, `${path}/aggregate` as const, {
      params: content,
      query: {
        ...page,
        role: ListPermissions.fields.role
      },
      success: pageOf(UserPermission),
      error: reading
    }).annotateMerge(
      describe(
        `List all who see a ${suffix.toLowerCase()}`,
        "Returns all members with access and their effective role, from all sources, most recently joined first."
      )
    )
  ] as const

/** The group of operations on the permissions of a space. */
export const SpacePermissionsApi = HttpApiGroup.make("spacePermissions")
  .add(...permissionEndpoints("Space", "/spaces/:spaceId/permissions", { spaceId: SpaceId }))
  .annotateMerge(describeGroup("Space permissions", "The users and teams with access to a space."))

/** The group of operations on the permissions of a collection. */
export const CollectionPermissionsApi = HttpApiGroup.make("collectionPermissions")
  .add(
    ...permissionEndpoints("Collection", "/collections/:collectionId/permissions", {
      collectionId: CollectionId
    })
  )
  .annotateMerge(describeGroup("Collection permissions", "The users and teams with access to a collection."))

/** The group of operations on the permissions of a site. */
export const SitePermissionsApi = HttpApiGroup.make("sitePermissions")
  .add(
    ...directPermissionEndpoints("Site", "/orgs/:organizationId/sites/:siteId/permissions", {
      organizationId: OrganizationId,
      siteId: SiteId
    })
  )
  .annotateMerge(describeGroup("Site permissions", "The users and teams with a role on a site."))
