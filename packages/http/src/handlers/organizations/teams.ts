import { TeamsApi } from "@lectern/client"
import { Teams } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const teams = Effect.map(Teams, (teams) =>
  implement(TeamsApi, {
    listTeamsInOrganizationById: teams.list,
    createOrganizationTeam: teams.create,
    getTeamInOrganizationById: teams.get,
    updateTeamInOrganizationById: teams.update,
    removeTeamFromOrganizationById: teams.remove,
    listTeamMembersInOrganizationById: teams.listMembers,
    updateMembersInOrganizationTeam: teams.updateMembers,
    addMemberToOrganizationTeamById: teams.putMember,
    deleteMemberFromOrganizationTeamById: teams.removeMember
  })
)
