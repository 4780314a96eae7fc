/** The public names of permissions in `@lectern/client`. */
export { CollectionPermissionsApi, SpacePermissionsApi } from "./PermissionsApi.ts"
