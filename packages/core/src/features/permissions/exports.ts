/** The public names of permissions in `@lectern/core`, besides the model. */

export { type GrantRow, grants } from "../../tables/permissions/permissionTable.ts"
export { Permissions } from "./Permissions.ts"
