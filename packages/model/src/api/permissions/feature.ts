import { CollectionPermissionsApi, SpacePermissionsApi } from "./PermissionsApi.ts"

export const groups: readonly [typeof CollectionPermissionsApi, typeof SpacePermissionsApi] = [
  CollectionPermissionsApi,
  SpacePermissionsApi
]
