/** All names of `sessions`. */
export * from "./IdentityProvider.ts"
export * from "./Session.ts"
