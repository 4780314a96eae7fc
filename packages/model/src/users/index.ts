/** All names of `users`. */
export * from "./User.ts"
export * from "./userResources.ts"
