/** The public names of permissions in `@lectern/core`, besides the model. */

export { type GrantRow, grants } from "../../model/permissions/Permission.ts"
export { Permissions } from "./Permissions.ts"
