/** The changes of the collections and spaces of an organization. */
import type { Collection, Organization, Space } from "@lectern/client/fetch"
import { writeData } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import { collectionsKey, spacesKey } from "../../data/spaces.ts"
import { client } from "../../session.ts"
import { translate } from "../../strings/strings.ts"
import { homeStrings } from "./strings.ts"

const keysOf = (organizationId: string): ReadonlyArray<string> => [
  spacesKey(organizationId),
  collectionsKey(organizationId)
]

const setParent =
  (id: string, parent: string | undefined) =>
  <Item extends { readonly id: string; readonly parent?: string }>(
    items: ReadonlyArray<Item>
  ): ReadonlyArray<Item> =>
    items.map((item) => {
      if (item.id !== id) return item
      const { parent: _, ...rest } = item
      return (parent === undefined ? rest : { ...rest, parent }) as Item
    })

/** Moves a space into a collection, or to the root of the organization. */
export const moveSpace = (space: Space, parent: string | undefined) => {
  const { id: spaceId, title, organization } = space
  const send = (target: string | undefined) =>
    client.spaces.moveSpace({ params: { spaceId }, payload: { parent: target ?? null } })
  return runChange({
    apply: () => [writeData(spacesKey(organization), setParent(spaceId, parent))],
    send: () => send(parent),
    message: translate(homeStrings, "moved", { title }),
    failure: translate(homeStrings, "moveFailed", { title }),
    undo: () => send(space.parent),
    invalidates: keysOf(organization)
  })
}

/** Moves a collection into another one, or to the root of the organization. */
export const moveCollection = (collection: Collection, parent: string | undefined) => {
  const { id: collectionId, title, organization } = collection
  const send = (target: string | undefined) =>
    client.collections.moveCollection({ params: { collectionId }, payload: { parent: target ?? null } })
  return runChange({
    apply: () => [writeData(collectionsKey(organization), setParent(collectionId, parent))],
    send: () => send(parent),
    message: translate(homeStrings, "moved", { title }),
    failure: translate(homeStrings, "moveFailed", { title }),
    undo: () => send(collection.parent),
    invalidates: keysOf(organization)
  })
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
