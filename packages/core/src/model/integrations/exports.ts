/** The public names of integrations in `@lectern/core/model`. */
export {
  Install,
  Installation,
  InstallationId,
  ListInstallations,
  UpdateInstallation
} from "./Installation.ts"
export {
  Integration,
  IntegrationName,
  ListIntegrations,
  type Manifest,
  PublishIntegration
} from "./Integration.ts"
