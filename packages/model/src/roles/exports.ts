export {
  type ActionNoun,
  type ActionRole,
  type ActionRoles,
  defineActions,
  type FeatureAction,
  type FeatureActions,
  featurePermissions
} from "./featureActions.ts"
export * as Policy from "./Policy.ts"
export { DefaultLevel, Role, RoleOrGuest, roles } from "./Role.ts"
