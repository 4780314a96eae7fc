export {
  FinishSamlLogin,
  ResumeSamlLogin,
  SamlIdentity,
  type SamlIdentityProvider,
  type SamlLogin,
  type SamlLoginRequest,
  type SamlParties,
  type SamlService
} from "./SamlLogin.ts"
export {
  CreateSamlProvider,
  SamlProvider,
  SamlProviderId,
  SsoLogin,
  SsoLogins,
  UpdateSamlProvider
} from "./SamlProvider.ts"
