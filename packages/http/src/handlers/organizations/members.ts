import { MembersApi } from "@lectern/client"
import { Members } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const members = Effect.map(Members, (members) =>
  implement(MembersApi, {
    listMembersInOrganizationById: members.list,
    getMemberInOrganizationById: members.get,
    updateMemberInOrganizationById: members.update,
    removeMemberFromOrganizationById: members.remove,
    updateOrganizationMemberLastSeenAt: members.ping,
    setUserAsSSOMemberForOrganization: members.enableSso,
    listSpacesForOrganizationMember: members.listSpaces,
    listTeamsForOrganizationMember: members.listTeams
  })
)
