/** Handlers of the operations on teams. */

import { TeamsApi } from "@lectern/client"
import { Teams } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The operations on teams, implemented. */
export const teams = Effect.map(Teams, (teams) =>
  implement(TeamsApi, {
    listTeamsInOrganizationById: ({ params, query }) => teams.list(params.organizationId, query),
    createOrganizationTeam: ({ params, payload }) => teams.create(params.organizationId, payload),
    getTeamInOrganizationById: ({ params }) => teams.get(params.organizationId, params.teamId),
    updateTeamInOrganizationById: ({ params, payload }) =>
      teams.update(params.organizationId, params.teamId, payload),
    removeTeamFromOrganizationById: ({ params }) => teams.remove(params.organizationId, params.teamId),
    listTeamMembersInOrganizationById: ({ params, query }) =>
      teams.members(params.organizationId, params.teamId, query),
    updateMembersInOrganizationTeam: ({ params, payload }) =>
      teams.updateMembers(params.organizationId, params.teamId, payload),
    addMemberToOrganizationTeamById: ({ params, payload }) =>
      teams.putMember(params.organizationId, params.teamId, params.userId, payload),
    deleteMemberFromOrganizationTeamById: ({ params }) =>
      teams.removeMember(params.organizationId, params.teamId, params.userId)
  })
)
