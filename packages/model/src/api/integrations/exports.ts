/** The public names of integrations in `@lectern/model/api`. */
export { SiteInstallationsApi, SpaceInstallationsApi } from "./ContentInstallationsApi.ts"
export { IntegrationsApi } from "./IntegrationsApi.ts"
