/** All names of `roles`. */
export * from "./Policy.ts"
export * from "./Role.ts"
