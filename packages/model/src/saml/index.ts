/** All names of `saml`. */
export * from "./SamlLogin.ts"
export * from "./SamlProvider.ts"
export * from "./samlResources.ts"
