/** The operations on invites. */
import type { InvitesApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const invites = {
  listOrganizationInviteLinks: { serves: "Invites.list", rule: "organization.administrate" },
  createOrganizationInvite: {
    serves: "Invites.create",
    rule: "organization.administrate",
    repeated: "another",
    body: () => ({ role: "read" })
  },
  getOrganizationInviteLink: { serves: "Invites.get", rule: "anybody" },
  updateOrganizationInviteById: {
    serves: "Invites.update",
    rule: "organization.administrate",
    body: () => ({ role: "comment" })
  },
  deleteOrganizationInviteById: {
    serves: "Invites.remove",
    rule: "organization.administrate",
    repeated: "404"
  },
  inviteUsersToOrganization: {
    serves: "Invites.inviteByEmail",
    rule: "organization.administrate",
    body: () => ({ emails: ["di@example.com", "ed@example.com"], role: "read" })
  },
  joinOrganizationWithInvite: { serves: "Invites.join", rule: "anybody" }
} satisfies RowsOf<typeof InvitesApi>
