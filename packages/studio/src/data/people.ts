/** The people of an organization, for mentions and reviews. */
import type { User } from "@lectern/client/fetch"
import { client } from "../session.ts"
import { pageSize } from "./organization.ts"
import { type Resource, useResource } from "./useResource.ts"

/** The members of an organization whose name or email address contains the search text, by name. At most 100 are returned. */
export const usePeople = (
  organization: string | undefined,
  search: string | undefined
): Resource<ReadonlyArray<User>> =>
  useResource<ReadonlyArray<User>>(
    organization === undefined || search === undefined ? undefined : `people/${organization}/${search}`,
    async (signal) => {
      const query = search === undefined || search === "" ? {} : { search }
      const { items } = await client.members.listMembersInOrganizationById(
        {
          params: { organizationId: organization! },
          query: { limit: pageSize, ...query }
        },
        { signal }
      )
      return items
        .filter(({ disabled }) => !disabled)
        .map(({ user }) => user)
        .toSorted((one, other) => one.displayName.localeCompare(other.displayName))
    },
    { staleAfterMs: 60_000 }
  )
