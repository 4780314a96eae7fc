/** The endpoints of integrations. */
import { SiteInstallationsApi, SpaceInstallationsApi } from "./ContentInstallationsApi.ts"
import { IntegrationsApi } from "./IntegrationsApi.ts"

/** The groups of endpoints of integrations, in the order of the OpenAPI document. */
export const groups: readonly [
  typeof IntegrationsApi,
  typeof SpaceInstallationsApi,
  typeof SiteInstallationsApi
] = [IntegrationsApi, SpaceInstallationsApi, SiteInstallationsApi]
