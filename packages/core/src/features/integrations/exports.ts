/** The public names of integrations in `@lectern/core`, besides the model. */
export { Installations } from "./Installations.ts"
export { InstallationTokens } from "./InstallationTokens.ts"
export { IntegrationEvents } from "./IntegrationEvents.ts"
export { Integrations } from "./Integrations.ts"
export { assetsPath } from "./IntegrationView.ts"
export { SiteInstallations } from "./SiteInstallations.ts"
export { SpaceInstallations } from "./SpaceInstallations.ts"
