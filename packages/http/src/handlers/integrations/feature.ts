import { siteInstallations, spaceInstallations } from "./contentInstallations.ts"
import { installedIntegrations } from "./installedIntegrations.ts"
import { integrations } from "./integrations.ts"

export const integrationsHandlers = {
  integrations,
  installedIntegrations,
  spaceInstallations,
  siteInstallations
}
