import { SiteInstallationsApi, SpaceInstallationsApi } from "./ContentInstallationsApi.ts"
import { IntegrationsApi } from "./IntegrationsApi.ts"

export const groups: readonly [
  typeof IntegrationsApi,
  typeof SpaceInstallationsApi,
  typeof SiteInstallationsApi
] = [IntegrationsApi, SpaceInstallationsApi, SiteInstallationsApi]
