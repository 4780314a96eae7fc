import { InstalledIntegrationsApi } from "@lectern/client"
import { InstalledIntegrations } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const installedIntegrations = Effect.map(InstalledIntegrations, (installed) =>
  implement(InstalledIntegrationsApi, {
    listOrganizationInstallations: installed.listInstallations,
    listOrganizationIntegrationsStatus: installed.listStatuses,
    getOrganizationIntegrationStatus: installed.getStatus,
    listSiteIntegrations: installed.listOfSite,
    listSpaceIntegrations: installed.listOfSpace,
    listSpaceIntegrationsBlocks: installed.listBlocks
  })
)
