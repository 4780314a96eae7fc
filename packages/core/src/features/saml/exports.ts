export { SamlLogins } from "./SamlLogins.ts"
export { SamlProviders } from "./SamlProviders.ts"
export { ssoPath } from "./serviceAddresses.ts"
