import { CollectionPermissionsApi, SitePermissionsApi, SpacePermissionsApi } from "./PermissionsApi.ts"

export const groups: readonly [
  typeof CollectionPermissionsApi,
  typeof SpacePermissionsApi,
  typeof SitePermissionsApi
] = [CollectionPermissionsApi, SpacePermissionsApi, SitePermissionsApi]
