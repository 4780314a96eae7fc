export { type GrantRow, grants } from "@lectern/kernel/tables"
export { Permissions } from "./Permissions.ts"
