/** The operations on teams. */
import type { TeamsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const teams = {
  listTeamsInOrganizationById: { serves: "Teams.list", rule: "organization.listMembers" },
  createOrganizationTeam: {
    serves: "Teams.create",
    rule: "organization.administrate",
    repeated: "another",
    body: ({ ids }) => ({ title: "New", members: [ids.userId] })
  },
  getTeamInOrganizationById: { serves: "Teams.get", rule: "team.view" },
  updateTeamInOrganizationById: {
    serves: "Teams.update",
    rule: "team.manage",
    body: () => ({ title: "New" })
  },
  removeTeamFromOrganizationById: {
    serves: "Teams.remove",
    rule: "team.remove",
    repeated: "404"
  },
  listTeamMembersInOrganizationById: {
    serves: "Teams.listMembers",
    rule: "team.listMembers"
  },
  updateMembersInOrganizationTeam: {
    serves: "Teams.updateMembers",
    rule: "team.manage",
    body: ({ ids, otherUser }) => ({ add: [ids.userId, otherUser] })
  },
  addMemberToOrganizationTeamById: {
    serves: "Teams.putMember",
    rule: "team.manage",
    body: () => ({ role: "owner" }),
    params: ({ otherUser }) => ({ userId: otherUser })
  },
  deleteMemberFromOrganizationTeamById: {
    serves: "Teams.removeMember",
    rule: "team.manage",
    repeated: "404"
  }
} satisfies RowsOf<typeof TeamsApi>
