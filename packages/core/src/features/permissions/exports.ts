/** What `@lectern/core` exports of permissions, beside its model. */

export { type GrantRow, grants } from "../../model/permissions/Permission.ts"
export { Permissions } from "./Permissions.ts"
