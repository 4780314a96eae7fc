/** All names of `tokens`. */
export * from "./ApiToken.ts"
export * from "./TokenPermission.ts"
