/** Handlers of the endpoints for invitations by e-mail address. */
import { InvitationsApi } from "@lectern/client"
import { Invitations } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for invitations. */
export const invitations = Effect.map(Invitations, (invitations) =>
  implement(InvitationsApi, {
    listInvitations: serve(invitations.list, ({ params, query }) => ({
      organization: params.organizationId,
      input: query
    })),
    renewInvitation: serve(invitations.renew, ({ params }) => ({
      organization: params.organizationId,
      user: params.userId
    })),
    revokeInvitation: serve(invitations.revoke, ({ params }) => ({
      organization: params.organizationId,
      user: params.userId
    }))
  })
)
