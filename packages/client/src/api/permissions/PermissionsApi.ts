/** The operations on who has access to content, declared once for spaces and for collections. */
import {
  CollectionId,
  ListPermissions,
  pageOf,
  Share,
  SpaceId,
  TeamId,
  TeamPermission,
  UpdatePermission,
  UserId,
  UserPermission
} from "@lectern/core/model"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { changing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import type { PathParams } from "../shared/pathParameters.ts"
import { page } from "../shared/queryParameters.ts"

/** The operations on the permissions at a path. Their ids end in `suffix`. */
const permissions = <
  const Suffix extends "Space" | "Collection",
  const Path extends `/${string}/permissions`,
  const Content extends PathParams
>(
  suffix: Suffix,
  path: Path,
  content: Content
) => {
  const what = suffix.toLowerCase()
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
        `Share a ${what}`,
        "With members and teams, who all get the role; null takes what they had there."
      )
    ),
    HttpApiEndpoint.get(`listUserPermissionsIn${suffix}` as const, `${path}/users` as const, {
      params: content,
      query: page,
      success: pageOf(UserPermission),
      error: reading
    }).annotateMerge(
      describe(`List the users of a ${what}`, "Those with whom it is shared itself, the last one first.")
    ),
    HttpApiEndpoint.patch(`updateUserPermissionIn${suffix}` as const, `${path}/users/:userId` as const, {
      params: user,
      payload: UpdatePermission,
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(
      describe(
        `Update a user of a ${what}`,
        "Gives a member this role on it; null takes what they had there."
      )
    ),
    HttpApiEndpoint.delete(`removeUserFrom${suffix}` as const, `${path}/users/:userId` as const, {
      params: user,
      success: HttpApiSchema.Empty(205),
      error: changing
    }).annotateMerge(
      describe(`Remove a user from a ${what}`, "What they have by other ways than this one stays.")
    ),
    HttpApiEndpoint.get(`listTeamPermissionsIn${suffix}` as const, `${path}/teams` as const, {
      params: content,
      query: page,
      success: pageOf(TeamPermission),
      error: reading
    }).annotateMerge(
      describe(`List the teams of a ${what}`, "Those with which it is shared itself, the last one first.")
    ),
    HttpApiEndpoint.patch(`updateTeamPermissionIn${suffix}` as const, `${path}/teams/:teamId` as const, {
      params: team,
      payload: UpdatePermission,
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(
      describe(`Update a team of a ${what}`, "Gives a team this role on it; null takes what it had there.")
    ),
    HttpApiEndpoint.delete(`removeTeamFrom${suffix}` as const, `${path}/teams/:teamId` as const, {
      params: team,
      success: HttpApiSchema.Empty(205),
      error: changing
    }).annotateMerge(
      describe(`Remove a team from a ${what}`, "What its members have by other ways than this one stays.")
    ),
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
        `List all who see a ${what}`,
        "However they come by it, with the role that they have on it; the last joined first."
      )
    )
  ] as const
}

/** The group of operations on who has access to a space. */
export const SpacePermissionsApi = HttpApiGroup.make("spacePermissions")
  .add(...permissions("Space", "/spaces/:spaceId/permissions", { spaceId: SpaceId }))
  .annotateMerge(describeGroup("Space permissions", "With whom spaces are shared."))

/** The group of operations on who has access to a collection. */
export const CollectionPermissionsApi = HttpApiGroup.make("collectionPermissions")
  .add(...permissions("Collection", "/collections/:collectionId/permissions", { collectionId: CollectionId }))
  .annotateMerge(describeGroup("Collection permissions", "With whom collections are shared."))
