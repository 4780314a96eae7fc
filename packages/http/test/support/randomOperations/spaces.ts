/** Random operations on the tree of collections and spaces. */
import { Collections, Permissions, Spaces } from "@lectern/core"
import { index, oneIn, operation, rowAt } from "./choices.ts"

export const shareContent = operation(
  { shared: index, isSpace: oneIn(2), holder: index, isTeam: oneIn(2) },
  function* ({ shared, isSpace, holder, isTeam }) {
    const content = isSpace
      ? { space: (yield* rowAt("spaces", shared)).id }
      : { collection: (yield* rowAt("collections", shared)).id }
    const holders = isTeam
      ? { teams: [(yield* rowAt("teams", holder)).id] }
      : { users: [(yield* rowAt("members", holder)).user as string] }
    yield* (yield* Permissions).share({ content, input: { ...holders, role: "edit" } })
  }
)

export const createSpace = operation(
  { parent: index, isInCollection: oneIn(2), organization: index, isOfAnyOrganization: oneIn(4) },
  function* ({ parent, isInCollection, organization, isOfAnyOrganization }) {
    const collection = yield* rowAt("collections", parent)
    const owner = isOfAnyOrganization
      ? (yield* rowAt("organizations", organization)).id
      : (collection.organization as string)
    yield* (yield* Spaces).create({
      organization: owner,
      input: { title: "Space", ...(isInCollection ? { parent: collection.id } : {}) }
    })
  }
)

export const createCollection = operation({ parent: index, isAtTop: oneIn(3) }, function* (choices) {
  const parent = yield* rowAt("collections", choices.parent)
  yield* (yield* Collections).create({
    organization: parent.organization as string,
    input: { title: "Folder", ...(choices.isAtTop ? {} : { parent: parent.id }) }
  })
})

export const moveSpace = operation(
  { space: index, parent: index, isToTop: oneIn(3) },
  function* ({ space, parent, isToTop }) {
    const to = isToTop ? null : (yield* rowAt("collections", parent)).id
    yield* (yield* Spaces).move({ space: (yield* rowAt("spaces", space)).id, input: { parent: to } })
  }
)

export const moveCollection = operation(
  { collection: index, parent: index, isToTop: oneIn(3) },
  function* ({ collection, parent, isToTop }) {
    const to = isToTop ? null : (yield* rowAt("collections", parent)).id
    yield* (yield* Collections).move({
      collection: (yield* rowAt("collections", collection)).id,
      input: { parent: to }
    })
  }
)

export const deleteCollection = operation({ collection: index }, function* ({ collection }) {
  yield* (yield* Collections).remove({ collection: (yield* rowAt("collections", collection)).id })
})

export const transferSpace = operation(
  { space: index, organization: index },
  function* ({ space, organization }) {
    yield* (yield* Spaces).transfer({
      space: (yield* rowAt("spaces", space)).id,
      input: { organization: (yield* rowAt("organizations", organization)).id }
    })
  }
)

export const transferCollection = operation(
  { collection: index, organization: index },
  function* ({ collection, organization }) {
    yield* (yield* Collections).transfer({
      collection: (yield* rowAt("collections", collection)).id,
      input: { organization: (yield* rowAt("organizations", organization)).id }
    })
  }
)

export const duplicateSpace = operation({ space: index }, function* ({ space }) {
  yield* (yield* Spaces).duplicate({ space: (yield* rowAt("spaces", space)).id })
})

export const softDeleteSpace = operation({ space: index }, function* ({ space }) {
  yield* (yield* Spaces).remove({ space: (yield* rowAt("spaces", space)).id })
})

export const restoreSpace = operation({ space: index }, function* ({ space }) {
  yield* (yield* Spaces).restore({
    space: (yield* rowAt("spaces", space, (row) => row.deletedAt !== null)).id
  })
})
