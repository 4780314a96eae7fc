import { SiteInstallationsApi, SpaceInstallationsApi } from "@lectern/client"
import { SiteInstallations, SpaceInstallations } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const spaceInstallations = Effect.map(SpaceInstallations, (installations) =>
  implement(SpaceInstallationsApi, {
    listIntegrationSpaceInstallations: installations.listOfIntegration,
    listIntegrationInstallationSpaces: installations.list,
    installIntegrationOnSpace: installations.create,
    getIntegrationSpaceInstallation: installations.get,
    updateIntegrationSpaceInstallation: installations.update,
    uninstallIntegrationFromSpace: installations.remove
  })
)

export const siteInstallations = Effect.map(SiteInstallations, (installations) =>
  implement(SiteInstallationsApi, {
    listIntegrationSiteInstallations: installations.listOfIntegration,
    listIntegrationInstallationSites: installations.list,
    installIntegrationOnSite: installations.create,
    getIntegrationSiteInstallation: installations.get,
    updateIntegrationSiteInstallation: installations.update,
    uninstallIntegrationFromSite: installations.remove
  })
)
