/** The operations on the members of an organization. */
import type { MembersApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const members = {
  listMembersInOrganizationById: { serves: "Members.list", rule: "organization.listMembers", statements: 12 },
  getMemberInOrganizationById: { serves: "Members.get", rule: "member.view.other", statements: 11 },
  updateMemberInOrganizationById: {
    serves: "Members.update",
    rule: "member.change.other",
    statements: 16,
    body: () => ({ role: "comment" })
  },
  removeMemberFromOrganizationById: {
    serves: "Members.remove",
    rule: "member.change.other",
    statements: 17,
    repeated: "404"
  },
  updateOrganizationMemberLastSeenAt: { serves: "Members.ping", rule: "organization.view", statements: 8 },
  setUserAsSSOMemberForOrganization: {
    serves: "Members.enableSso",
    rule: "member.change.other",
    statements: 15
  },
  listSpacesForOrganizationMember: {
    serves: "Members.listSpaces",
    rule: "member.inspect.other",
    statements: 9
  },
  listTeamsForOrganizationMember: { serves: "Members.listTeams", rule: "member.view.other", statements: 12 }
} satisfies RowsOf<typeof MembersApi>
