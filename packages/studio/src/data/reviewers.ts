/** The people who can review the change requests of a space. */
import type { Role, UserPermission } from "@lectern/client/fetch"
import { client } from "../session.ts"
import { loadAll, pageSize } from "./organization.ts"
import { spaceKey } from "./spaces.ts"
import { type Resource, useResource } from "./useResource.ts"

/** The roles that include reviews. */
const reviewingRoles: ReadonlySet<Role> = new Set(["review", "create", "admin"])

/** The people whose role on a space includes reviews, by name. */
export const useReviewers = (spaceId: string): Resource<ReadonlyArray<UserPermission>> =>
  useResource<ReadonlyArray<UserPermission>>(
    `${spaceKey(spaceId)}/reviewers`,
    async (signal) => {
      const permissions = await loadAll<UserPermission>((cursor) =>
        client.spacePermissions.listPermissionsAggregateInSpace(
          { params: { spaceId }, query: { limit: pageSize, ...cursor } },
          { signal }
        )
      )
      return permissions
        .filter(({ permission }) => reviewingRoles.has(permission))
        .toSorted((one, other) => one.user.displayName.localeCompare(other.user.displayName))
    },
    { staleAfterMs: 60_000 }
  )
