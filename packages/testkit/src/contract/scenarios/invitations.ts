/** Scenarios of invitations by e-mail address. */
import type { Invitation, InvitedByEmail, Page, RenewedInvitation } from "@lectern/model"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"

export const invitations: ContractScenario = {
  title: "An invitation by e-mail address is listed, renewed and revoked",
  requires: ["invitations"],
  run: async ({ ada, acme, tag }) => {
    const at = { organizationId: acme.id }
    const email = `invited-${tag}@example.com`
    const { users } = await ada.call<InvitedByEmail>("inviteUsersToOrganization", at, {
      body: { emails: [email], role: "read" }
    })
    const invitation = { ...at, userId: users[0]! }
    const listed = await ada.call<Page<Invitation>>("listInvitations", at, { query: { limit: 1000 } })
    expect(listed.items.find(({ user }) => user === users[0])).toMatchObject({ email, invitedBy: ada.id })
    const renewed = await ada.call<RenewedInvitation>("renewInvitation", invitation)
    expect(renewed).toMatchObject({ user: users[0], email })
    await ada.call("revokeInvitation", invitation)
    await ada.expectError(404, "renewInvitation", invitation)
    await ada.expectError(404, "getMemberInOrganizationById", invitation)
  }
}
