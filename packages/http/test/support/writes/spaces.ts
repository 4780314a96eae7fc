/** Writes to collections and spaces. */
import { grantSubjects } from "./permissions.ts"
import { siteSpaceLists } from "./siteStructure.ts"
import {
  byRow,
  type Created,
  exists,
  fact,
  forgetSpace,
  isMissing,
  oneIn,
  organizationPath,
  pathOf,
  pickOne,
  removeWhere,
  rename,
  uniqueName,
  type Write,
  type WriteKind,
  type WriteKinds,
  type Writer
} from "./writes.ts"

const create = (writer: Writer, list: "collections" | "spaces", parent: string | undefined): Write => {
  const title = uniqueName(writer)
  const body = parent === undefined ? { title } : { title, parent }
  return {
    method: "POST",
    path: `${organizationPath(writer)}/${list}`,
    body,
    done: ({ id }: Created) => {
      writer[list].push(id)
      return [fact(`/${list}/${id}`, "title", title), fact(`/${list}/${id}`, "parent", parent)]
    }
  }
}

const move = (writer: Writer, list: "collections" | "spaces"): Write | undefined => {
  const id = pickOne(writer, writer[list])
  if (id === undefined) return undefined
  const parent = oneIn(writer, 3) ? undefined : pickOne(writer, writer.collections)
  return {
    method: "POST",
    path: `/${list}/${id}/move`,
    body: { parent: parent ?? null },
    facts: [fact(`/${list}/${id}`, "parent", parent)]
  }
}

const createCollection: WriteKind = (writer) => create(writer, "collections", undefined)

const createSpaceInCollection: WriteKind = (writer) =>
  create(writer, "spaces", pickOne(writer, writer.collections))

const createSpace: WriteKind = (writer) => create(writer, "spaces", undefined)

const renameSpace: WriteKind = (writer) => rename(writer, pathOf("/spaces/", pickOne(writer, writer.spaces)))

const renameCollection: WriteKind = (writer) =>
  rename(writer, pathOf("/collections/", pickOne(writer, writer.collections)))

const moveSpace: WriteKind = (writer) => move(writer, "spaces")

const moveCollection: WriteKind = (writer) => move(writer, "collections")

const duplicateSpace: WriteKind = (writer) => {
  const id = pickOne(writer, writer.spaces)
  if (id === undefined) return undefined
  return {
    method: "POST",
    path: `/spaces/${id}/duplicate`,
    body: {},
    done: (copy: Created) => {
      writer.spaces.push(copy.id)
      return [exists(`/spaces/${copy.id}`)]
    }
  }
}

const softDeleteSpace: WriteKind = (writer) => {
  const id = writer.spaces.length < 4 ? undefined : writer.spaces[writer.spaces.length - 1]
  if (id === undefined) return undefined
  forgetSpace(writer, id)
  return {
    method: "DELETE",
    path: `/spaces/${id}`,
    // A space in the trash leaves its sites.
    makesUncertain: siteSpaceLists(writer),
    facts: [fact(`/spaces/${id}`, "deletedAt?", true)],
    done: () => void writer.deleted.push(id)
  }
}

const restoreSpace: WriteKind = (writer) => {
  const id = writer.deleted.pop()
  if (id === undefined) return undefined
  return {
    method: "POST",
    path: `/spaces/${id}/restore`,
    // A restored space returns to its sites.
    makesUncertain: siteSpaceLists(writer),
    facts: [fact(`/spaces/${id}`, "deletedAt?", false)],
    done: () => void writer.spaces.push(id)
  }
}

/** Transfers a space to the other organization of the writer. No later write uses the space. */
const transferSpace: WriteKind = (writer) => {
  const { elsewhere } = writer
  const id = writer.spaces.length < 4 ? undefined : pickOne(writer, writer.spaces)
  if (id === undefined || elsewhere === undefined) return undefined
  forgetSpace(writer, id)
  return {
    ...byRow(writer, "transferSpace", { spaceId: id, elsewhere }),
    makesUncertain: [`/spaces/${id} parent`, `/spaces/${id}/permissions`, ...siteSpaceLists(writer)],
    facts: [fact(`/spaces/${id}`, "organization", elsewhere), fact(`/spaces/${id}`, "parent", undefined)]
  }
}

/** Transfers a collection with its spaces and collections. The writer does not record which these are. */
const transferCollection: WriteKind = (writer) => {
  const { elsewhere } = writer
  const id = writer.collections.length < 3 ? undefined : pickOne(writer, writer.collections)
  if (id === undefined || elsewhere === undefined) return undefined
  removeWhere(writer.collections, (other) => other === id)
  return {
    ...byRow(writer, "transferCollection", { collectionId: id, elsewhere }),
    makesUncertain: [
      `/collections/${id} parent`,
      `/collections/${id}/permissions`,
      ...grantSubjects(writer),
      ...siteSpaceLists(writer)
    ],
    facts: [
      fact(`/collections/${id}`, "organization", elsewhere),
      fact(`/collections/${id}`, "parent", undefined)
    ]
  }
}

/** Deletes a collection and the collections in it. Their spaces move to its parent. */
const deleteCollection: WriteKind = (writer) => {
  const id = writer.collections.length < 3 ? undefined : pickOne(writer, writer.collections)
  if (id === undefined) return undefined
  removeWhere(writer.collections, (other) => other === id)
  return {
    ...byRow(writer, "deleteCollectionById", { collectionId: id }),
    makesUncertain: [
      ...writer.collections.map((other) => `/collections/${other}`),
      ...[...writer.spaces, ...writer.deleted].map((space) => `/spaces/${space} parent`)
    ],
    facts: [isMissing(`/collections/${id}`)]
  }
}

/** The kinds of these writes, by operation. */
export const spaceWrites = {
  createCollection: [createCollection],
  createSpace: [createSpaceInCollection, createSpace],
  updateSpaceById: [renameSpace],
  updateCollectionById: [renameCollection],
  moveSpace: [moveSpace],
  moveCollection: [moveCollection],
  duplicateSpace: [duplicateSpace],
  deleteSpaceById: [softDeleteSpace],
  restoreSpace: [restoreSpace],
  transferSpace: [transferSpace],
  transferCollection: [transferCollection],
  deleteCollectionById: [deleteCollection]
} satisfies WriteKinds
