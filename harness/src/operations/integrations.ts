/** The operations on integrations. */
import type {
  InstalledIntegrationsApi,
  IntegrationsApi,
  SiteInstallationsApi,
  SpaceInstallationsApi
} from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"
import type { SceneIds } from "./scene.ts"
import { integrationOf } from "./sceneInputs.ts"

export const integrations = {
  listIntegrations: { serves: "Integrations.list", rule: "anybody" },
  listOrganizationIntegrations: {
    serves: "Integrations.listOfOrganization",
    rule: "organization.listMembers"
  },
  getIntegrationByName: { serves: "Integrations.get", rule: "anybody" },
  publishIntegration: {
    serves: "Integrations.publish",
    rule: "organization.administrate",
    pathRule: "anybody",
    repeated: "another",
    body: ({ ids }) => integrationOf(ids.organizationId)
  },
  unpublishIntegration: {
    serves: "Integrations.unpublish",
    rule: "integration.administrate",
    repeated: "404"
  },
  listIntegrationInstallations: { serves: "Installations.list", rule: "anybody" },
  installIntegration: {
    serves: "Installations.create",
    rule: "organization.administrate",
    pathRule: "anybody",
    repeated: "409",
    body: ({ ids }) => ({ organization: ids.organizationId }),
    params: ({ freeIntegration }) => ({ integrationName: freeIntegration })
  },
  getIntegrationInstallationById: { serves: "Installations.get", rule: "installation.view" },
  updateIntegrationInstallation: {
    serves: "Installations.update",
    rule: "installation.update",
    body: () => ({ configuration: { key: "value" }, externalIds: ["a"] })
  },
  uninstallIntegration: {
    serves: "Installations.remove",
    rule: "installation.install",
    repeated: "404"
  },
  createIntegrationInstallationToken: {
    serves: "InstallationTokens.create",
    rule: "installation.authenticate",
    repeated: "another"
  },
  listIntegrationEvents: {
    serves: "IntegrationEvents.list",
    rule: "integration.administrate"
  },
  getIntegrationEvent: { serves: "IntegrationEvents.get", rule: "integration.administrate" },
  queueIntegrationTask: {
    serves: "IntegrationEvents.queueTask",
    rule: "integration.administrate",
    repeated: "another",
    body: () => ({ task: { kind: "refresh" } })
  },
  setIntegrationDevelopmentMode: {
    serves: "IntegrationEvents.setDevelopmentMode",
    rule: "integration.administrate",
    body: () => ({ tunnelUrl: "https://example.com/tunnel" })
  },
  disableIntegrationDevelopmentMode: {
    serves: "IntegrationEvents.disableDevelopmentMode",
    rule: "integration.administrate"
  }
} satisfies RowsOf<typeof IntegrationsApi>

export const installedIntegrations = {
  listOrganizationInstallations: {
    serves: "InstalledIntegrations.listInstallations",
    rule: "organization.administrate"
  },
  listOrganizationIntegrationsStatus: {
    serves: "InstalledIntegrations.listStatuses",
    rule: "organization.listMembers"
  },
  getOrganizationIntegrationStatus: {
    serves: "InstalledIntegrations.getStatus",
    rule: "organization.listMembers"
  },
  listSiteIntegrations: { serves: "InstalledIntegrations.listOfSite", rule: "site.view" },
  listSpaceIntegrations: { serves: "InstalledIntegrations.listOfSpace", rule: "space.view" },
  listSpaceIntegrationsBlocks: { serves: "InstalledIntegrations.listBlocks", rule: "space.view" }
} satisfies RowsOf<typeof InstalledIntegrationsApi>

const installationPath = ({ integrationName, installationId }: SceneIds): string =>
  `/v1/integrations/${integrationName}/installations/${installationId}`

export const spaceInstallations = {
  listIntegrationSpaceInstallations: {
    serves: "SpaceInstallations.listOfIntegration",
    rule: "anybody"
  },
  listIntegrationInstallationSpaces: {
    serves: "SpaceInstallations.list",
    rule: "installation.view"
  },
  installIntegrationOnSpace: {
    serves: "SpaceInstallations.create",
    rule: "installation.install",
    repeated: "409",
    body: ({ ids }) => ({ space: ids.spaceId }),
    prepare: ({ ids }, call) => call("DELETE", `${installationPath(ids)}/spaces/${ids.spaceId}`)
  },
  getIntegrationSpaceInstallation: {
    serves: "SpaceInstallations.get",
    rule: "installation.view"
  },
  updateIntegrationSpaceInstallation: {
    serves: "SpaceInstallations.update",
    rule: "installation.update",
    body: () => ({ configuration: { key: "value" }, externalIds: ["a"] })
  },
  uninstallIntegrationFromSpace: {
    serves: "SpaceInstallations.remove",
    rule: "installation.install",
    repeated: "404"
  }
} satisfies RowsOf<typeof SpaceInstallationsApi>

export const siteInstallations = {
  listIntegrationSiteInstallations: {
    serves: "SiteInstallations.listOfIntegration",
    rule: "anybody"
  },
  listIntegrationInstallationSites: {
    serves: "SiteInstallations.list",
    rule: "installation.view"
  },
  installIntegrationOnSite: {
    serves: "SiteInstallations.create",
    rule: "installation.install",
    repeated: "409",
    body: ({ ids }) => ({ siteId: ids.siteId }),
    prepare: ({ ids }, call) => call("DELETE", `${installationPath(ids)}/sites/${ids.siteId}`)
  },
  getIntegrationSiteInstallation: {
    serves: "SiteInstallations.get",
    rule: "installation.view"
  },
  updateIntegrationSiteInstallation: {
    serves: "SiteInstallations.update",
    rule: "installation.update",
    body: () => ({ configuration: { key: "value" }, externalIds: ["a"] })
  },
  uninstallIntegrationFromSite: {
    serves: "SiteInstallations.remove",
    rule: "installation.install",
    repeated: "404"
  }
} satisfies RowsOf<typeof SiteInstallationsApi>
