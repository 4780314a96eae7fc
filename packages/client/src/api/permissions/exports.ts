/** What `@lectern/client` exports of permissions. */
export { CollectionPermissionsApi, SpacePermissionsApi } from "./PermissionsApi.ts"
