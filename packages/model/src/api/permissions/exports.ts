/** The public names of permissions in `@lectern/model/api`. */
export { CollectionPermissionsApi, SpacePermissionsApi } from "./PermissionsApi.ts"
