/** What `@lectern/core/model` exports of roles. */
export * as Policy from "./Policy.ts"
export { DefaultLevel, Role, RoleOrGuest, roles } from "./Role.ts"
