/** Handlers of the endpoints for invites. */
import { InvitesApi } from "@lectern/client"
import { Invites } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for invites. */
export const invites = Effect.map(Invites, (invites) =>
  implement(InvitesApi, {
    listOrganizationInviteLinks: serve(invites.list, ({ params, query }) => ({
      organization: params.organizationId,
      input: query
    })),
    createOrganizationInvite: serve(invites.create, ({ params, payload }) => ({
      organization: params.organizationId,
      input: payload
    })),
    getOrganizationInviteLink: serve(invites.get, ({ params }) => ({
      organization: params.organizationId,
      invite: params.inviteId
    })),
    updateOrganizationInviteById: serve(invites.update, ({ params, payload }) => ({
      organization: params.organizationId,
      invite: params.inviteId,
      input: payload
    })),
    deleteOrganizationInviteById: serve(invites.remove, ({ params }) => ({
      organization: params.organizationId,
      invite: params.inviteId
    })),
    inviteUsersToOrganization: serve(invites.inviteByEmail, ({ params, payload }) => ({
      organization: params.organizationId,
      input: payload
    })),
    joinOrganizationWithInvite: serve(invites.join, ({ params }) => ({
      organization: params.organizationId,
      invite: params.inviteId
    }))
  })
)
