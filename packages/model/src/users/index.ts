/** All names of `users`. */
export * from "./OwnAccount.ts"
export * from "./User.ts"
export * from "./userResources.ts"
