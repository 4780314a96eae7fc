/** Handlers of the endpoints for the members of an organization. */
import { MembersApi } from "@lectern/client"
import { Members } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for the members of an organization. */
export const members = Effect.map(Members, (members) =>
  implement(MembersApi, {
    listMembersInOrganizationById: serve(members.list, ({ params, query }) => ({
      organization: params.organizationId,
      input: query
    })),
    getMemberInOrganizationById: serve(members.get, ({ params }) => ({
      organization: params.organizationId,
      user: params.userId
    })),
    updateMemberInOrganizationById: serve(members.update, ({ params, payload }) => ({
      organization: params.organizationId,
      user: params.userId,
      input: payload
    })),
    removeMemberFromOrganizationById: serve(members.remove, ({ params }) => ({
      organization: params.organizationId,
      user: params.userId
    })),
    updateOrganizationMemberLastSeenAt: serve(members.ping, ({ params }) => ({
      organization: params.organizationId
    })),
    setUserAsSSOMemberForOrganization: serve(members.enableSso, ({ params }) => ({
      organization: params.organizationId,
      user: params.userId
    })),
    listSpacesForOrganizationMember: serve(members.listSpaces, ({ params, query }) => ({
      organization: params.organizationId,
      user: params.userId,
      input: query
    })),
    listTeamsForOrganizationMember: serve(members.listTeams, ({ params, query }) => ({
      organization: params.organizationId,
      user: params.userId,
      input: query
    }))
  })
)
