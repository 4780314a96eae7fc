/** The operations on teams. */
import type { TeamsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const teams = {
  listTeamsInOrganizationById: { serves: "Teams.list", rule: "organization.listMembers", statements: 10 },
  createOrganizationTeam: {
    serves: "Teams.create",
    rule: "organization.administrate",
    statements: 13,
    repeated: "another",
    body: ({ ids }) => ({ title: "New", members: [ids.userId] })
  },
  getTeamInOrganizationById: { serves: "Teams.get", rule: "team.view", statements: 10 },
  updateTeamInOrganizationById: {
    serves: "Teams.update",
    rule: "team.manage",
    statements: 14,
    body: () => ({ title: "New" })
  },
  removeTeamFromOrganizationById: {
    serves: "Teams.remove",
    rule: "team.remove",
    statements: 19,
    repeated: "404"
  },
  listTeamMembersInOrganizationById: {
    serves: "Teams.listMembers",
    rule: "team.listMembers",
    statements: 15
  },
  updateMembersInOrganizationTeam: {
    serves: "Teams.updateMembers",
    rule: "team.manage",
    statements: 11,
    body: ({ ids, otherUser }) => ({ add: [ids.userId, otherUser] })
  },
  addMemberToOrganizationTeamById: {
    serves: "Teams.putMember",
    rule: "team.manage",
    statements: 11,
    body: () => ({ role: "owner" }),
    params: ({ otherUser }) => ({ userId: otherUser })
  },
  deleteMemberFromOrganizationTeamById: {
    serves: "Teams.removeMember",
    rule: "team.manage",
    statements: 9,
    repeated: "404"
  }
} satisfies RowsOf<typeof TeamsApi>
