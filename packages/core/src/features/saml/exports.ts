/** The public names of single sign-on in `@lectern/core`, besides the model. */
export { SamlLogins } from "./SamlLogins.ts"
export { SamlProviders } from "./SamlProviders.ts"
export { ssoPath } from "./serviceAddresses.ts"
