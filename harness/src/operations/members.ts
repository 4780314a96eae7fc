/** The operations on the members of an organization. */
import type { MembersApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const members = {
  listMembersInOrganizationById: { serves: "Members.list", rule: "organization.listMembers" },
  getMemberInOrganizationById: { serves: "Members.get", rule: "member.view.other" },
  updateMemberInOrganizationById: {
    serves: "Members.update",
    rule: "member.change.other",
    body: () => ({ role: "comment" })
  },
  removeMemberFromOrganizationById: {
    serves: "Members.remove",
    rule: "member.change.other",
    repeated: "404"
  },
  updateOrganizationMemberLastSeenAt: { serves: "Members.ping", rule: "organization.view" },
  setUserAsSSOMemberForOrganization: {
    serves: "Members.enableSso",
    rule: "member.change.other"
  },
  listSpacesForOrganizationMember: {
    serves: "Members.listSpaces",
    rule: "member.inspect.other"
  },
  listTeamsForOrganizationMember: { serves: "Members.listTeams", rule: "member.view.other" }
} satisfies RowsOf<typeof MembersApi>
