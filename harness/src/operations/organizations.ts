/** The operations on organizations. */
import type { OrganizationsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const organizations = {
  listOrganizationsForAuthenticatedUser: { serves: "Organizations.list", rule: "anybody" },
  getOrganizationById: { serves: "Organizations.get", rule: "organization.view" },
  updateOrganizationById: {
    serves: "Organizations.update",
    rule: "organization.administrate",
    body: () => ({ title: "New", emailDomains: ["example.com"] })
  },
  getOrganizationUsage: {
    serves: "Organizations.getUsage",
    rule: "organization.administrate"
  },
  getOrganizationsForEmailDomain: {
    serves: "Organizations.listByEmailDomain",
    rule: "anybody"
  }
} satisfies RowsOf<typeof OrganizationsApi>
