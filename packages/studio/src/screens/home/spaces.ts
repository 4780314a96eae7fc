/** The collections and spaces of an organization, and the changes of them. */
import type { Collection, Organization, Space } from "@lectern/client/fetch"
import { writeData } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import { loadAll, pageSize, useOrganization } from "../../data/organization.ts"
import { type Resource, useResource } from "../../data/useResource.ts"
import { client } from "../../session.ts"
import { translate } from "../../strings/strings.ts"
import { homeStrings } from "./strings.ts"

/** The key of the spaces of an organization. */
export const spacesKey = (organizationId: string): string => `organizations/${organizationId}/spaces`
/** The key of the collections of an organization. */
export const collectionsKey = (organizationId: string): string =>
  `organizations/${organizationId}/collections`

const keysOf = (organizationId: string): ReadonlyArray<string> => [
  spacesKey(organizationId),
  collectionsKey(organizationId),
  // Sites omit spaces in the trash.
  "sites"
]

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

const setTitle =
  (id: string, title: string) =>
  <Item extends { readonly id: string }>(items: ReadonlyArray<Item>): ReadonlyArray<Item> =>
    items.map((item) => (item.id === id ? { ...item, title } : item))

/** Renames a space. */
export const renameSpace = (space: Space, title: string) => {
  const send = (text: string) =>
    client.spaces.updateSpaceById({ params: { spaceId: space.id }, payload: { title: text } })
  return runChange({
    apply: () => [writeData(spacesKey(space.organization), setTitle(space.id, title))],
    send: () => send(title),
    message: translate(homeStrings, "renamed", { title }),
    failure: translate(homeStrings, "renameFailed"),
    undo: () => send(space.title),
    invalidates: [...keysOf(space.organization), `spaces/${space.id}`]
  })
}

/** Renames a collection. */
export const renameCollection = (collection: Collection, title: string) => {
  const send = (text: string) =>
    client.collections.updateCollectionById({
      params: { collectionId: collection.id },
      payload: { title: text }
    })
  return runChange({
    apply: () => [writeData(collectionsKey(collection.organization), setTitle(collection.id, title))],
    send: () => send(title),
    message: translate(homeStrings, "renamed", { title }),
    failure: translate(homeStrings, "renameFailed"),
    undo: () => send(collection.title),
    invalidates: keysOf(collection.organization)
  })
}

/** Duplicates a space. */
export const duplicateSpace = ({ id: spaceId, title, organization }: Space) =>
  runChange({
    send: () => client.spaces.duplicateSpace({ params: { spaceId } }),
    message: translate(homeStrings, "duplicated", { title }),
    failure: translate(homeStrings, "duplicateFailed", { title }),
    undo: (copy) => client.spaces.deleteSpaceById({ params: { spaceId: copy.id } }),
    invalidates: keysOf(organization)
  })

/** Restores a space from the trash. */
export const restoreSpace = ({ id: spaceId, title, organization }: Space) =>
  runChange({
    send: () => client.spaces.restoreSpace({ params: { spaceId } }),
    message: translate(homeStrings, "restored", { title }),
    failure: translate(homeStrings, "restoreFailed", { title }),
    invalidates: [...keysOf(organization), `organizations/${organization}/trash`]
  })

/** Moves a space to the trash. */
export const trashSpace = ({ id: spaceId, title, organization }: Space) =>
  runChange({
    apply: () => [
      writeData<ReadonlyArray<Space>>(spacesKey(organization), (spaces) =>
        spaces.filter(({ id }) => id !== spaceId)
      )
    ],
    send: () => client.spaces.deleteSpaceById({ params: { spaceId } }),
    message: translate(homeStrings, "trashed", { title }),
    failure: translate(homeStrings, "trashFailed", { title }),
    undo: () => client.spaces.restoreSpace({ params: { spaceId } }),
    invalidates: [...keysOf(organization), `organizations/${organization}/trash`]
  })

/** Deletes a collection. Its content moves to its parent. */
export const deleteCollection = ({ id: collectionId, organization }: Collection) =>
  runChange({
    send: () => client.collections.deleteCollectionById({ params: { collectionId } }),
    message: translate(homeStrings, "collectionRemoved"),
    failure: translate(homeStrings, "collectionRemoveFailed"),
    invalidates: keysOf(organization)
  })

/** Creates a space. Rejects with `ApiError`, for the form. */
export const createSpace = async (
  organization: Organization,
  title: string,
  parent: string | undefined
): Promise<Space> => {
  const space = await client.spaces.createSpace({
    params: { organizationId: organization.id },
    payload: { title, ...(parent === undefined ? {} : { parent }) }
  })
  writeData<ReadonlyArray<Space>>(spacesKey(organization.id), (spaces) => [space, ...spaces])
  return space
}

/** Creates a collection. Rejects with `ApiError`, for the form. */
export const createCollection = async (
  organization: Organization,
  title: string,
  parent: string | undefined
): Promise<Collection> => {
  const collection = await client.collections.createCollection({
    params: { organizationId: organization.id },
    payload: { title, ...(parent === undefined ? {} : { parent }) }
  })
  writeData<ReadonlyArray<Collection>>(collectionsKey(organization.id), (collections) => [
    collection,
    ...collections
  ])
  return collection
}
