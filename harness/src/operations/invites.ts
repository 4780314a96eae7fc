/** The operations on invites. */
import type { InvitesApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const invites = {
  listOrganizationInviteLinks: { serves: "Invites.list", rule: "organization.administrate", statements: 5 },
  createOrganizationInvite: {
    serves: "Invites.create",
    rule: "organization.administrate",
    statements: 5,
    repeated: "another",
    body: () => ({ role: "read" })
  },
  getOrganizationInviteLink: { serves: "Invites.get", rule: "anybody", statements: 4 },
  updateOrganizationInviteById: {
    serves: "Invites.update",
    rule: "organization.administrate",
    statements: 6,
    body: () => ({ role: "comment" })
  },
  deleteOrganizationInviteById: {
    serves: "Invites.remove",
    rule: "organization.administrate",
    statements: 6,
    repeated: "404"
  },
  inviteUsersToOrganization: {
    serves: "Invites.inviteByEmail",
    rule: "organization.administrate",
    statements: 12,
    body: () => ({ emails: ["di@example.com", "ed@example.com"], role: "read" })
  },
  joinOrganizationWithInvite: { serves: "Invites.join", rule: "anybody", statements: 5 }
} satisfies RowsOf<typeof InvitesApi>
