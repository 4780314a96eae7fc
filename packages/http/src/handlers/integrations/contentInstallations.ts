/** Handlers of the endpoints for installations of integrations on spaces and sites. */
import { SiteInstallationsApi, SpaceInstallationsApi } from "@lectern/client"
import { SiteInstallations, SpaceInstallations } from "@lectern/core"
import type { InstallationId, IntegrationName } from "@lectern/model"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

const installationOf = (params: {
  readonly integrationName: IntegrationName
  readonly installationId: InstallationId
}) => ({ integration: params.integrationName, installation: params.installationId })

/** The handlers of the endpoints for installations on spaces. */
export const spaceInstallations = Effect.map(SpaceInstallations, (installations) =>
  implement(SpaceInstallationsApi, {
    listIntegrationSpaceInstallations: serve(installations.listOfIntegration, ({ params, query }) => ({
      integration: params.integrationName,
      input: query
    })),
    listIntegrationInstallationSpaces: serve(installations.list, ({ params, query }) => ({
      ...installationOf(params),
      input: query
    })),
    installIntegrationOnSpace: serve(installations.create, ({ params, payload }) => ({
      ...installationOf(params),
      input: payload
    })),
    getIntegrationSpaceInstallation: serve(installations.get, ({ params }) => ({
      ...installationOf(params),
      space: params.spaceId
    })),
    updateIntegrationSpaceInstallation: serve(installations.update, ({ params, payload }) => ({
      ...installationOf(params),
      space: params.spaceId,
      input: payload
    })),
    uninstallIntegrationFromSpace: serve(installations.remove, ({ params }) => ({
      ...installationOf(params),
      space: params.spaceId
    }))
  })
)

/** The handlers of the endpoints for installations on sites. */
export const siteInstallations = Effect.map(SiteInstallations, (installations) =>
  implement(SiteInstallationsApi, {
    listIntegrationSiteInstallations: serve(installations.listOfIntegration, ({ params, query }) => ({
      integration: params.integrationName,
      input: query
    })),
    listIntegrationInstallationSites: serve(installations.list, ({ params, query }) => ({
      ...installationOf(params),
      input: query
    })),
    installIntegrationOnSite: serve(installations.create, ({ params, payload }) => ({
      ...installationOf(params),
      input: payload
    })),
    getIntegrationSiteInstallation: serve(installations.get, ({ params }) => ({
      ...installationOf(params),
      site: params.siteId
    })),
    updateIntegrationSiteInstallation: serve(installations.update, ({ params, payload }) => ({
      ...installationOf(params),
      site: params.siteId,
      input: payload
    })),
    uninstallIntegrationFromSite: serve(installations.remove, ({ params }) => ({
      ...installationOf(params),
      site: params.siteId
    }))
  })
)
