import { SiteInstallationsApi, SpaceInstallationsApi } from "./ContentInstallationsApi.ts"
import { InstalledIntegrationsApi } from "./InstalledIntegrationsApi.ts"
import { IntegrationsApi } from "./IntegrationsApi.ts"

export const groups: readonly [
  typeof IntegrationsApi,
  typeof InstalledIntegrationsApi,
  typeof SpaceInstallationsApi,
  typeof SiteInstallationsApi
] = [IntegrationsApi, InstalledIntegrationsApi, SpaceInstallationsApi, SiteInstallationsApi]
