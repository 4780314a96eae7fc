export { SiteInstallationsApi, SpaceInstallationsApi } from "./ContentInstallationsApi.ts"
export { IntegrationsApi } from "./IntegrationsApi.ts"
