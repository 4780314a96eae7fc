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
  deleteOrganizationById: {
    serves: "Organizations.remove",
    rule: "organization.administrate",
    repeated: "404"
  },
  restoreOrganization: { serves: "Organizations.restore", rule: "organization.administrate" },
  listDeletedOrganizations: { serves: "Organizations.listDeleted", rule: "anybody" },
  getOrganizationUsage: {
    serves: "Organizations.getUsage",
    rule: "organization.administrate"
  },
  getOrganizationsForEmailDomain: {
    serves: "Organizations.listByEmailDomain",
    rule: "anybody"
  }
} satisfies RowsOf<typeof OrganizationsApi>
