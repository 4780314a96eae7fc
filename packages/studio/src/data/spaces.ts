/** The spaces and collections of an organization, and a space for the screens of its content. */
import type { Collection, Space } from "@lectern/client/fetch"
import { client } from "../session.ts"
import { loadAll, pageSize, useOrganization } from "./organization.ts"
import { type Resource, useResource } from "./useResource.ts"

/** The key of a space. Everything in it is below this key. */
export const spaceKey = (spaceId: string): string => `spaces/${spaceId}`

/** A space. */
export const useSpace = (spaceId: string): Resource<Space> =>
  useResource(`${spaceKey(spaceId)}/space`, (signal) =>
    client.spaces.getSpaceById({ params: { spaceId } }, { signal })
  )

/** The key of the spaces of an organization. */
export const spacesKey = (organizationId: string): string => `organizations/${organizationId}/spaces`

/** The key of the collections of an organization. */
export const collectionsKey = (organizationId: string): string =>
  `organizations/${organizationId}/collections`

/** The spaces of the organization that is displayed. */
export const useSpaces = (): Resource<ReadonlyArray<Space>> => {
  const { data: organization } = useOrganization()
  const id = organization?.id
  return useResource(id === undefined ? undefined : spacesKey(id), (signal) =>
    loadAll((cursor) =>
      client.spaces.listSpacesInOrganizationById(
        { params: { organizationId: id! }, query: { limit: pageSize, ...cursor } },
        { signal }
      )
    )
  )
}

/** The collections of the organization that is displayed. */
export const useCollections = (): Resource<ReadonlyArray<Collection>> => {
  const { data: organization } = useOrganization()
  const id = organization?.id
  return useResource(id === undefined ? undefined : collectionsKey(id), (signal) =>
    loadAll((cursor) =>
      client.collections.listCollectionsInOrganizationById(
        { params: { organizationId: id! }, query: { limit: pageSize, ...cursor } },
        { signal }
      )
    )
  )
}
