export { CollectionPermissionsApi, SitePermissionsApi, SpacePermissionsApi } from "./PermissionsApi.ts"
