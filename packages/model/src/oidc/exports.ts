/** The public names of OpenID Connect in `@lectern/model`. */
export { OidcProviderSettings } from "./OidcLogin.ts"
export {
  CreateOidcProvider,
  OidcGroup,
  OidcProvider,
  OidcProviderId,
  UpdateOidcProvider
} from "./OidcProvider.ts"
