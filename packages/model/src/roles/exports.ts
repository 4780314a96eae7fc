export * as Policy from "./Policy.ts"
export { DefaultLevel, Role, RoleOrGuest, roles } from "./Role.ts"
