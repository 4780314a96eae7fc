export { CollectionPermissionsApi, SpacePermissionsApi } from "./PermissionsApi.ts"
