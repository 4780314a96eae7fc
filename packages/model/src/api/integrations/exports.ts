export { SiteInstallationsApi, SpaceInstallationsApi } from "./ContentInstallationsApi.ts"
export { InstalledIntegrationsApi } from "./InstalledIntegrationsApi.ts"
export { IntegrationsApi } from "./IntegrationsApi.ts"
