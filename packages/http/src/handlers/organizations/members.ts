/** Handlers of the operations on the members of an organization. */

import { MembersApi } from "@lectern/client"
import { Members } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The operations on the members of an organization, implemented. */
export const members = Effect.map(Members, (members) =>
  implement(MembersApi, {
    listMembersInOrganizationById: ({ params, query }) => members.list(params.organizationId, query),
    getMemberInOrganizationById: ({ params }) => members.get(params.organizationId, params.userId),
    updateMemberInOrganizationById: ({ params, payload }) =>
      members.update(params.organizationId, params.userId, payload),
    removeMemberFromOrganizationById: ({ params }) => members.remove(params.organizationId, params.userId),
    updateOrganizationMemberLastSeenAt: ({ params }) => members.ping(params.organizationId),
    setUserAsSSOMemberForOrganization: ({ params }) => members.setSso(params.organizationId, params.userId),
    listSpacesForOrganizationMember: ({ params, query }) =>
      members.spaces(params.organizationId, params.userId, query),
    listTeamsForOrganizationMember: ({ params, query }) =>
      members.teams(params.organizationId, params.userId, query)
  })
)
