import { InvitationsApi } from "@lectern/client"
import { Invitations } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const invitations = Effect.map(Invitations, (invitations) =>
  implement(InvitationsApi, {
    listInvitations: invitations.list,
    renewInvitation: invitations.renew,
    revokeInvitation: invitations.revoke
  })
)
