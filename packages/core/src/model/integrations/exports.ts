/** What `@lectern/core/model` exports of integrations. */
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
  PublishIntegration
} from "./Integration.ts"
