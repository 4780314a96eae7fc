/** The operations on OpenID Connect providers. */
import type { OidcApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const oidc = {
  listOIDCProvidersInOrganizationById: {
    serves: "OrganizationOidcProviders.list",
    rule: "organization.administrate"
  },
  createOrganizationOIDCProvider: {
    serves: "OrganizationOidcProviders.create",
    rule: "organization.administrate",
    repeated: "another",
    body: ({ ids }) => ({
      label: "New",
      clientSecret: "a secret",
      defaultTeam: ids.teamId,
      groups: [{ group: "editors", role: "edit", team: ids.teamId }]
    })
  },
  getOrganizationOIDCProviderById: {
    serves: "OrganizationOidcProviders.get",
    rule: "organization.administrate"
  },
  updateOrganizationOIDCProvider: {
    serves: "OrganizationOidcProviders.update",
    rule: "organization.administrate",
    body: () => ({ label: "New" }),
    // Another issuer ends the logins by the former one.
    full: () => ({ body: { label: "New", issuer: "https://other.example.com" } })
  },
  deleteOrganizationOIDCProvider: {
    serves: "OrganizationOidcProviders.remove",
    rule: "organization.administrate",
    repeated: "404"
  }
} satisfies RowsOf<typeof OidcApi>
