/** The operations on SAML providers. */
import type { SamlApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const saml = {
  listSAMLProvidersInOrganizationById: {
    serves: "SamlProviders.list",
    rule: "organization.administrate"
  },
  createOrganizationSAMLProvider: {
    serves: "SamlProviders.create",
    rule: "organization.administrate",
    repeated: "another",
    body: ({ ids }) => ({ label: "New", defaultTeam: ids.teamId })
  },
  getOrganizationSAMLProviderById: {
    serves: "SamlProviders.get",
    rule: "organization.administrate"
  },
  updateOrganizationSAMLProvider: {
    serves: "SamlProviders.update",
    rule: "organization.administrate",
    body: () => ({ label: "New" })
  },
  deleteOrganizationSAMLProvider: {
    serves: "SamlProviders.remove",
    rule: "organization.administrate",
    repeated: "404"
  },
  listSSOProviderLoginsInOrganization: {
    serves: "SamlProviders.listLogins",
    rule: "organization.signOn"
  }
} satisfies RowsOf<typeof SamlApi>
