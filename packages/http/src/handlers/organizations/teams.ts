/** Handlers of the endpoints for teams. */
import { TeamsApi } from "@lectern/client"
import { Teams } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for teams. */
export const teams = Effect.map(Teams, (teams) =>
  implement(TeamsApi, {
    listTeamsInOrganizationById: serve(teams.list, ({ params, query }) => ({
      organization: params.organizationId,
      input: query
    })),
    createOrganizationTeam: serve(teams.create, ({ params, payload }) => ({
      organization: params.organizationId,
      input: payload
    })),
    getTeamInOrganizationById: serve(teams.get, ({ params }) => ({
      organization: params.organizationId,
      team: params.teamId
    })),
    updateTeamInOrganizationById: serve(teams.update, ({ params, payload }) => ({
      organization: params.organizationId,
      team: params.teamId,
      input: payload
    })),
    removeTeamFromOrganizationById: serve(teams.remove, ({ params }) => ({
      organization: params.organizationId,
      team: params.teamId
    })),
    listTeamMembersInOrganizationById: serve(teams.listMembers, ({ params, query }) => ({
      organization: params.organizationId,
      team: params.teamId,
      input: query
    })),
    updateMembersInOrganizationTeam: serve(teams.updateMembers, ({ params, payload }) => ({
      organization: params.organizationId,
      team: params.teamId,
      input: payload
    })),
    addMemberToOrganizationTeamById: serve(teams.putMember, ({ params, payload }) => ({
      organization: params.organizationId,
      team: params.teamId,
      user: params.userId,
      input: payload
    })),
    deleteMemberFromOrganizationTeamById: serve(teams.removeMember, ({ params }) => ({
      organization: params.organizationId,
      team: params.teamId,
      user: params.userId
    }))
  })
)
