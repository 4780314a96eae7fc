/** The operations on integrations. */
import type { IntegrationsApi, SiteInstallationsApi, SpaceInstallationsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"
import { integrationOf, type SceneIds } from "./scene.ts"

export const integrations = {
  listIntegrations: { serves: "Integrations.list", rule: "anybody", statements: 5 },
  getIntegrationByName: { serves: "Integrations.get", rule: "anybody", statements: 4 },
  publishIntegration: {
    serves: "Integrations.publish",
    rule: "organization.administrate",
    pathRule: "anybody",
    statements: 12,
    repeated: "another",
    body: ({ ids }) => integrationOf(ids.organizationId)
  },
  unpublishIntegration: {
    serves: "Integrations.unpublish",
    rule: "integration.administrate",
    statements: 9,
    repeated: "404"
  },
  listIntegrationInstallations: { serves: "Installations.list", rule: "anybody", statements: 6 },
  installIntegration: {
    serves: "Installations.create",
    rule: "organization.administrate",
    pathRule: "anybody",
    statements: 9,
    repeated: "409",
    body: ({ ids }) => ({ organization: ids.organizationId }),
    params: ({ freeIntegration }) => ({ integrationName: freeIntegration })
  },
  getIntegrationInstallationById: { serves: "Installations.get", rule: "installation.view", statements: 5 },
  updateIntegrationInstallation: {
    serves: "Installations.update",
    rule: "installation.update",
    statements: 11,
    body: () => ({ configuration: { key: "value" }, externalIds: ["a"] })
  },
  uninstallIntegration: {
    serves: "Installations.remove",
    rule: "installation.install",
    statements: 10,
    repeated: "404"
  },
  createIntegrationInstallationToken: {
    serves: "InstallationTokens.create",
    rule: "installation.authenticate",
    statements: 7,
    repeated: "another"
  },
  listIntegrationEvents: {
    serves: "IntegrationEvents.list",
    rule: "integration.administrate",
    statements: 5
  },
  getIntegrationEvent: { serves: "IntegrationEvents.get", rule: "integration.administrate", statements: 4 },
  queueIntegrationTask: {
    serves: "IntegrationEvents.queueTask",
    rule: "integration.administrate",
    statements: 7,
    repeated: "another",
    body: () => ({ task: { kind: "refresh" } })
  },
  setIntegrationDevelopmentMode: {
    serves: "IntegrationEvents.setDevelopmentMode",
    rule: "integration.administrate",
    statements: 7,
    body: () => ({ tunnelUrl: "https://example.com/tunnel" })
  },
  disableIntegrationDevelopmentMode: {
    serves: "IntegrationEvents.disableDevelopmentMode",
    rule: "integration.administrate",
    statements: 5
  }
} satisfies RowsOf<typeof IntegrationsApi>

const installationPath = ({ integrationName, installationId }: SceneIds): string =>
  `/v1/integrations/${integrationName}/installations/${installationId}`

export const spaceInstallations = {
  listIntegrationSpaceInstallations: {
    serves: "SpaceInstallations.listOfIntegration",
    rule: "anybody",
    statements: 5
  },
  listIntegrationInstallationSpaces: {
    serves: "SpaceInstallations.list",
    rule: "installation.view",
    statements: 6
  },
  installIntegrationOnSpace: {
    serves: "SpaceInstallations.create",
    rule: "installation.install",
    statements: 10,
    repeated: "409",
    body: ({ ids }) => ({ space: ids.spaceId }),
    prepare: ({ ids }, call) => call("DELETE", `${installationPath(ids)}/spaces/${ids.spaceId}`)
  },
  getIntegrationSpaceInstallation: {
    serves: "SpaceInstallations.get",
    rule: "installation.view",
    statements: 5
  },
  updateIntegrationSpaceInstallation: {
    serves: "SpaceInstallations.update",
    rule: "installation.update",
    statements: 11,
    body: () => ({ configuration: { key: "value" }, externalIds: ["a"] })
  },
  uninstallIntegrationFromSpace: {
    serves: "SpaceInstallations.remove",
    rule: "installation.install",
    statements: 11,
    repeated: "404"
  }
} satisfies RowsOf<typeof SpaceInstallationsApi>

export const siteInstallations = {
  listIntegrationSiteInstallations: {
    serves: "SiteInstallations.listOfIntegration",
    rule: "anybody",
    statements: 5
  },
  listIntegrationInstallationSites: {
    serves: "SiteInstallations.list",
    rule: "installation.view",
    statements: 6
  },
  installIntegrationOnSite: {
    serves: "SiteInstallations.create",
    rule: "installation.install",
    statements: 10,
    repeated: "409",
    body: ({ ids }) => ({ siteId: ids.siteId }),
    prepare: ({ ids }, call) => call("DELETE", `${installationPath(ids)}/sites/${ids.siteId}`)
  },
  getIntegrationSiteInstallation: {
    serves: "SiteInstallations.get",
    rule: "installation.view",
    statements: 5
  },
  updateIntegrationSiteInstallation: {
    serves: "SiteInstallations.update",
    rule: "installation.update",
    statements: 11,
    body: () => ({ configuration: { key: "value" }, externalIds: ["a"] })
  },
  uninstallIntegrationFromSite: {
    serves: "SiteInstallations.remove",
    rule: "installation.install",
    statements: 11,
    repeated: "404"
  }
} satisfies RowsOf<typeof SiteInstallationsApi>
