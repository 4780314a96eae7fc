/** Handlers of the operations on integrations. */

import { IntegrationsApi } from "@lectern/client"
import { Installations, Integrations } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The operations on integrations, implemented. */
export const integrations = Effect.map(
  Effect.all([Integrations, Installations]),
  ([integrations, installations]) =>
    implement(IntegrationsApi, {
      listIntegrations: ({ query }) => integrations.list(query),
      getIntegrationByName: ({ params }) => integrations.get(params.integrationName),
      publishIntegration: ({ params, payload }) => integrations.publish(params.integrationName, payload),
      unpublishIntegration: ({ params }) => integrations.unpublish(params.integrationName),
      listIntegrationInstallations: ({ params, query }) => installations.list(params.integrationName, query),
      installIntegration: ({ params, payload }) => installations.create(params.integrationName, payload),
      getIntegrationInstallationById: ({ params }) =>
        installations.get(params.integrationName, params.installationId),
      updateIntegrationInstallation: ({ params, payload }) =>
        installations.update(params.integrationName, params.installationId, payload),
      uninstallIntegration: ({ params }) =>
        installations.remove(params.integrationName, params.installationId)
    })
)
