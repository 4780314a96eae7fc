/** All names of `roles`. */
export * from "./givenRoles.ts"
export * from "./Policy.ts"
export * from "./Role.ts"
