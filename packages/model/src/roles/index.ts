/** All names of `roles`. */
export * from "./featureActions.ts"
export * from "./Policy.ts"
export * from "./Role.ts"
