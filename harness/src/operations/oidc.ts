/** The operations on OpenID Connect providers. */
import type { OidcApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const oidc = {
  listOIDCProvidersInOrganizationById: {
    serves: "OrganizationOidcProviders.list",
    rule: "organization.administrate",
    statements: 11
  },
  createOrganizationOIDCProvider: {
    serves: "OrganizationOidcProviders.create",
    rule: "organization.administrate",
    statements: 14,
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
    rule: "organization.administrate",
    statements: 10
  },
  updateOrganizationOIDCProvider: {
    serves: "OrganizationOidcProviders.update",
    rule: "organization.administrate",
    statements: 17,
    body: () => ({ label: "New" }),
    // Another issuer ends the logins by the former one.
    full: () => ({ body: { label: "New", issuer: "https://other.example.com" } })
  },
  deleteOrganizationOIDCProvider: {
    serves: "OrganizationOidcProviders.remove",
    rule: "organization.administrate",
    statements: 11,
    repeated: "404"
  }
} satisfies RowsOf<typeof OidcApi>
