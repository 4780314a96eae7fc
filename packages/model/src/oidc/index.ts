/** All names of `oidc`. */
export * from "./OidcLogin.ts"
