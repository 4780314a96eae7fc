/** The operations on integrations. */
import type { IntegrationsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"
import { integrationOf } from "./scene.ts"

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
    rule: "integration.remove",
    statements: 7,
    repeated: "404"
  },
  listIntegrationInstallations: { serves: "Installations.list", rule: "anybody", statements: 6 },
  installIntegration: {
    serves: "Installations.create",
    rule: "organization.administrate",
    pathRule: "anybody",
    statements: 7,
    repeated: "409",
    body: ({ ids }) => ({ organization: ids.organizationId }),
    params: ({ freeIntegration }) => ({ integrationName: freeIntegration })
  },
  getIntegrationInstallationById: { serves: "Installations.get", rule: "installation.change", statements: 5 },
  updateIntegrationInstallation: {
    serves: "Installations.update",
    rule: "installation.change",
    statements: 9,
    body: () => ({ configuration: { key: "value" }, externalIds: ["a"] })
  },
  uninstallIntegration: {
    serves: "Installations.remove",
    rule: "installation.change",
    statements: 8,
    repeated: "404"
  }
} satisfies RowsOf<typeof IntegrationsApi>
