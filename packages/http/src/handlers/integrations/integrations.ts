import { IntegrationsApi } from "@lectern/client"
import { Installations, InstallationTokens, IntegrationEvents, Integrations } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const integrations = Effect.map(
  Effect.all([Integrations, Installations, InstallationTokens, IntegrationEvents]),
  ([integrations, installations, tokens, events]) =>
    implement(IntegrationsApi, {
      listIntegrations: integrations.list,
      listOrganizationIntegrations: integrations.listOfOrganization,
      getIntegrationByName: integrations.get,
      publishIntegration: integrations.publish,
      unpublishIntegration: integrations.unpublish,
      listIntegrationInstallations: installations.list,
      installIntegration: installations.create,
      getIntegrationInstallationById: installations.get,
      updateIntegrationInstallation: installations.update,
      uninstallIntegration: installations.remove,
      createIntegrationInstallationToken: tokens.create,
      listIntegrationEvents: events.list,
      getIntegrationEvent: events.get,
      queueIntegrationTask: events.queueTask,
      setIntegrationDevelopmentMode: events.setDevelopmentMode,
      disableIntegrationDevelopmentMode: events.disableDevelopmentMode
    })
)
