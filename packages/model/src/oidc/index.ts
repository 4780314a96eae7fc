/** All names of `oidc`. */
export * from "./OidcLogin.ts"
export * from "./OidcProvider.ts"
export * from "./oidcResources.ts"
