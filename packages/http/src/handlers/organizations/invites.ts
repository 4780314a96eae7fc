/** Handlers of the operations on invites. */

import { InvitesApi } from "@lectern/client"
import { Invites } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The operations on invites, implemented. */
export const invites = Effect.map(Invites, (invites) =>
  implement(InvitesApi, {
    listOrganizationInviteLinks: ({ params, query }) => invites.list(params.organizationId, query),
    createOrganizationInvite: ({ params, payload }) => invites.create(params.organizationId, payload),
    getOrganizationInviteLink: ({ params }) => invites.get(params.organizationId, params.inviteId),
    updateOrganizationInviteById: ({ params, payload }) =>
      invites.update(params.organizationId, params.inviteId, payload),
    deleteOrganizationInviteById: ({ params }) => invites.remove(params.organizationId, params.inviteId),
    inviteUsersToOrganization: ({ params, payload }) => invites.inviteByEmail(params.organizationId, payload),
    joinOrganizationWithInvite: ({ params }) => invites.join(params.organizationId, params.inviteId)
  })
)
