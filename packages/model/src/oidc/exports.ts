export { OidcProviderSettings } from "./OidcLogin.ts"
export {
  CreateOidcProvider,
  OidcGroup,
  OidcProvider,
  OidcProviderId,
  UpdateOidcProvider
} from "./OidcProvider.ts"
