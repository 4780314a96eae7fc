/** The operations on organizations. */
import type { OrganizationsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const organizations = {
  listOrganizationsForAuthenticatedUser: { serves: "Organizations.list", rule: "anybody", statements: 5 },
  getOrganizationById: { serves: "Organizations.get", rule: "organization.view", statements: 5 },
  updateOrganizationById: {
    serves: "Organizations.update",
    rule: "organization.administrate",
    statements: 11,
    body: () => ({ title: "New", emailDomains: ["example.com"] })
  },
  getOrganizationUsage: {
    serves: "Organizations.getUsage",
    rule: "organization.administrate",
    statements: 8
  },
  getOrganizationsForEmailDomain: {
    serves: "Organizations.listByEmailDomain",
    rule: "anybody",
    statements: 6
  }
} satisfies RowsOf<typeof OrganizationsApi>
