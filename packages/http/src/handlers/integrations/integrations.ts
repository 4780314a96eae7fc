/** Handlers of the endpoints for integrations. */
import { IntegrationsApi } from "@lectern/client"
import { Installations, InstallationTokens, IntegrationEvents, Integrations } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for integrations. */
export const integrations = Effect.map(
  Effect.all([Integrations, Installations, InstallationTokens, IntegrationEvents]),
  ([integrations, installations, tokens, events]) =>
    implement(IntegrationsApi, {
      listIntegrations: serve(integrations.list, ({ query }) => ({ input: query })),
      getIntegrationByName: serve(integrations.get, ({ params }) => ({
        integration: params.integrationName
      })),
      publishIntegration: serve(integrations.publish, ({ params, payload }) => ({
        integration: params.integrationName,
        input: payload
      })),
      unpublishIntegration: serve(integrations.unpublish, ({ params }) => ({
        integration: params.integrationName
      })),
      listIntegrationInstallations: serve(installations.list, ({ params, query }) => ({
        integration: params.integrationName,
        input: query
      })),
      installIntegration: serve(installations.create, ({ params, payload }) => ({
        integration: params.integrationName,
        input: payload
      })),
      getIntegrationInstallationById: serve(installations.get, ({ params }) => ({
        integration: params.integrationName,
        installation: params.installationId
      })),
      updateIntegrationInstallation: serve(installations.update, ({ params, payload }) => ({
        integration: params.integrationName,
        installation: params.installationId,
        input: payload
      })),
      uninstallIntegration: serve(installations.remove, ({ params }) => ({
        integration: params.integrationName,
        installation: params.installationId
      })),
      createIntegrationInstallationToken: serve(tokens.create, ({ params }) => ({
        integration: params.integrationName,
        installation: params.installationId
      })),
      listIntegrationEvents: serve(events.list, ({ params, query }) => ({
        integration: params.integrationName,
        input: query
      })),
      getIntegrationEvent: serve(events.get, ({ params }) => ({
        integration: params.integrationName,
        event: params.eventId
      })),
      queueIntegrationTask: serve(events.queueTask, ({ params, payload }) => ({
        integration: params.integrationName,
        input: payload
      })),
      setIntegrationDevelopmentMode: serve(events.setDevelopmentMode, ({ params, payload }) => ({
        integration: params.integrationName,
        input: payload
      })),
      disableIntegrationDevelopmentMode: serve(events.disableDevelopmentMode, ({ params }) => ({
        integration: params.integrationName
      }))
    })
)
