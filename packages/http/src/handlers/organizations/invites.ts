import { InvitesApi } from "@lectern/client"
import { Invites } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const invites = Effect.map(Invites, (invites) =>
  implement(InvitesApi, {
    listOrganizationInviteLinks: invites.list,
    createOrganizationInvite: invites.create,
    getOrganizationInviteLink: invites.get,
    updateOrganizationInviteById: invites.update,
    deleteOrganizationInviteById: invites.remove,
    inviteUsersToOrganization: invites.inviteByEmail,
    joinOrganizationWithInvite: invites.join
  })
)
