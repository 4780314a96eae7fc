/** What `@lectern/core` exports of single sign-on, beside its model. */
export { SamlLogins } from "./SamlLogins.ts"
export { SamlProviders } from "./SamlProviders.ts"
export { ssoPath } from "./serviceAddresses.ts"
