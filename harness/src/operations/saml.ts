/** The operations on SAML providers. */
import type { SamlApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const saml = {
  listSAMLProvidersInOrganizationById: {
    serves: "SamlProviders.list",
    rule: "organization.administrate",
    statements: 11
  },
  createOrganizationSAMLProvider: {
    serves: "SamlProviders.create",
    rule: "organization.administrate",
    statements: 14,
    repeated: "another",
    body: ({ ids }) => ({ label: "New", defaultTeam: ids.teamId })
  },
  getOrganizationSAMLProviderById: {
    serves: "SamlProviders.get",
    rule: "organization.administrate",
    statements: 10
  },
  updateOrganizationSAMLProvider: {
    serves: "SamlProviders.update",
    rule: "organization.administrate",
    statements: 14,
    body: () => ({ label: "New" })
  },
  deleteOrganizationSAMLProvider: {
    serves: "SamlProviders.remove",
    rule: "organization.administrate",
    statements: 10,
    repeated: "404"
  },
  listSSOProviderLoginsInOrganization: {
    serves: "SamlProviders.listLogins",
    rule: "organization.signOn",
    statements: 5
  }
} satisfies RowsOf<typeof SamlApi>
