export { type GrantRow, grants } from "../../tables/permissions/permissionTable.ts"
export { Permissions } from "./Permissions.ts"
