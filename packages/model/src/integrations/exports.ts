export {
  InstallOnSite,
  InstallOnSpace,
  SiteInstallation,
  SpaceInstallation,
  UpdateContentInstallation
} from "./ContentInstallation.ts"
export {
  Install,
  Installation,
  InstallationId,
  ListInstallations,
  UpdateInstallation
} from "./Installation.ts"
export {
  BlocksOfIntegration,
  InstallationWithIntegration,
  InstalledIntegration,
  ListInstallationStatuses,
  ListInstalled,
  StatusOfInstallation
} from "./InstalledIntegration.ts"
export {
  Integration,
  IntegrationName,
  ListIntegrations,
  type Manifest,
  PublishIntegration
} from "./Integration.ts"
export {
  InstallationToken,
  IntegrationEvent,
  IntegrationEventWithTrace,
  IntegrationPayload,
  ListIntegrationEvents,
  QueueTask,
  SetDevelopmentMode
} from "./IntegrationEvent.ts"
