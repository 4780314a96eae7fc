/** Writes to collections and spaces. */
import {
  type Created,
  exists,
  fact,
  oneIn,
  organizationPath,
  pathOf,
  pickOne,
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
  // The content of a space in the trash is no longer verified.
  writer.spaces.pop()
  writer.pages.splice(0, writer.pages.length, ...writer.pages.filter(({ space }) => space !== id))
  writer.proposals.splice(0, writer.proposals.length, ...writer.proposals.filter(({ space }) => space !== id))
  writer.comments.splice(0, writer.comments.length, ...writer.comments.filter((path) => !path.includes(id)))
  return {
    method: "DELETE",
    path: `/spaces/${id}`,
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
    facts: [fact(`/spaces/${id}`, "deletedAt?", false)],
    done: () => void writer.spaces.push(id)
  }
}

/** The kinds of writes to collections and spaces, by operation. */
export const spaceWrites = {
  createCollection: [createCollection],
  createSpace: [createSpaceInCollection, createSpace],
  updateSpaceById: [renameSpace],
  updateCollectionById: [renameCollection],
  moveSpace: [moveSpace],
  moveCollection: [moveCollection],
  duplicateSpace: [duplicateSpace],
  deleteSpaceById: [softDeleteSpace],
  restoreSpace: [restoreSpace]
} satisfies WriteKinds
