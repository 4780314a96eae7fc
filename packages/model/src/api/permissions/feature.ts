/** The endpoints of permissions. */
import { CollectionPermissionsApi, SpacePermissionsApi } from "./PermissionsApi.ts"

/** The groups of endpoints of permissions, in the order of the OpenAPI document. */
export const groups: readonly [typeof CollectionPermissionsApi, typeof SpacePermissionsApi] = [
  CollectionPermissionsApi,
  SpacePermissionsApi
]
