/** The public names of integrations in `@lectern/client`. */
export { SiteInstallationsApi, SpaceInstallationsApi } from "./ContentInstallationsApi.ts"
export { IntegrationsApi } from "./IntegrationsApi.ts"
