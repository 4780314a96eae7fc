/** The members and teams of an organization. */
import type { Member, Team } from "@lectern/client/fetch"
import { useList } from "../../data/lists.ts"
import { useOrganization } from "../../data/organization.ts"
import type { Resource } from "../../data/useResource.ts"
import { client } from "../../session.ts"

/** The key of a part of an organization, such as its members. */
export const keyIn = (organizationId: string, part: string): string =>
  `organizations/${organizationId}/${part}`

/** The members of the organization that is displayed. */
export const useMembers = (search = ""): Resource<ReadonlyArray<Member>> => {
  const { data: organization } = useOrganization()
  const id = organization?.permissions.listMembers === true ? organization.id : undefined
  return useList(id === undefined ? undefined : keyIn(id, `members/list/${search}`), (query, signal) =>
    client.members.listMembersInOrganizationById(
      { params: { organizationId: id! }, query: { ...query, ...(search === "" ? {} : { search }) } },
      { signal }
    )
  )
}

/** The teams of the organization that is displayed. */
export const useTeams = (): Resource<ReadonlyArray<Team>> => {
  const { data: organization } = useOrganization()
  const id = organization?.permissions.listTeams === true ? organization.id : undefined
  return useList(id === undefined ? undefined : keyIn(id, "teams/list"), (query, signal) =>
    client.teams.listTeamsInOrganizationById({ params: { organizationId: id! }, query }, { signal })
  )
}
