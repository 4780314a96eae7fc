/** All names of `roles`. */
export * from "./featureActions.ts"
export * from "./givenRoles.ts"
export * from "./Policy.ts"
export * from "./Role.ts"
