/** Random operations on the tree of collections and spaces. */
import { Collections, Grants, Spaces } from "@lectern/core"
import { index, oneIn, operation, rowAt } from "./choices.ts"

export const shareContent = operation(
  { content: index, isSpace: oneIn(2), holder: index, isTeam: oneIn(2) },
  function* ({ content, isSpace, holder, isTeam }) {
    const subject = isSpace
      ? { space: (yield* rowAt("spaces", content)).id }
      : { collection: (yield* rowAt("collections", content)).id }
    const holders = isTeam
      ? { teams: [(yield* rowAt("teams", holder)).id] }
      : { users: [(yield* rowAt("members", holder)).user as string] }
    yield* (yield* Grants).share(subject, { ...holders, role: "edit" } as never)
  }
)

export const createSpace = operation(
  { parent: index, isInCollection: oneIn(2), organization: index, isOfAnyOrganization: oneIn(4) },
  function* ({ parent, isInCollection, organization, isOfAnyOrganization }) {
    const collection = yield* rowAt("collections", parent)
    const owner = isOfAnyOrganization
      ? (yield* rowAt("organizations", organization)).id
      : (collection.organization as string)
    yield* (yield* Spaces).create(owner, {
      title: "Space",
      ...(isInCollection ? { parent: collection.id } : {})
    })
  }
)

export const createCollection = operation({ parent: index, isAtTop: oneIn(3) }, function* (choices) {
  const parent = yield* rowAt("collections", choices.parent)
  yield* (yield* Collections).create(parent.organization as string, {
    title: "Folder",
    ...(choices.isAtTop ? {} : { parent: parent.id })
  })
})

export const moveSpace = operation(
  { space: index, parent: index, isToTop: oneIn(3) },
  function* ({ space, parent, isToTop }) {
    const to = isToTop ? null : (yield* rowAt("collections", parent)).id
    yield* (yield* Spaces).move((yield* rowAt("spaces", space)).id, { parent: to })
  }
)

export const moveCollection = operation(
  { collection: index, parent: index, isToTop: oneIn(3) },
  function* ({ collection, parent, isToTop }) {
    const to = isToTop ? null : (yield* rowAt("collections", parent)).id
    yield* (yield* Collections).move((yield* rowAt("collections", collection)).id, { parent: to })
  }
)

export const deleteCollection = operation({ collection: index }, function* ({ collection }) {
  yield* (yield* Collections).remove((yield* rowAt("collections", collection)).id)
})

export const transferSpace = operation(
  { space: index, organization: index },
  function* ({ space, organization }) {
    yield* (yield* Spaces).transfer((yield* rowAt("spaces", space)).id, {
      organization: (yield* rowAt("organizations", organization)).id
    })
  }
)

export const transferCollection = operation(
  { collection: index, organization: index },
  function* ({ collection, organization }) {
    yield* (yield* Collections).transfer((yield* rowAt("collections", collection)).id, {
      organization: (yield* rowAt("organizations", organization)).id
    })
  }
)

export const duplicateSpace = operation({ space: index }, function* ({ space }) {
  yield* (yield* Spaces).duplicate((yield* rowAt("spaces", space)).id)
})

export const softDeleteSpace = operation({ space: index }, function* ({ space }) {
  yield* (yield* Spaces).remove((yield* rowAt("spaces", space)).id)
})

export const restoreSpace = operation({ space: index }, function* ({ space }) {
  yield* (yield* Spaces).restore((yield* rowAt("spaces", space, (row) => row.deletedAt !== null)).id)
})
