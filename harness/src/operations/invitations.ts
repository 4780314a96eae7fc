/** The operations on invitations by e-mail address. */
import type { InvitationsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const invitations = {
  listInvitations: { serves: "Invitations.list", rule: "organization.administrate" },
  renewInvitation: {
    serves: "Invitations.renew",
    rule: "organization.administrate",
    repeated: "another"
  },
  revokeInvitation: {
    serves: "Invitations.revoke",
    rule: "organization.administrate",
    repeated: "404"
  }
} satisfies RowsOf<typeof InvitationsApi>
