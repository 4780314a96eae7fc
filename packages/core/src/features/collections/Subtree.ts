/** What happens to all that is in a collection when the collection itself goes elsewhere. */
import { Effect } from "effect"
import { type Records, type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import { type CollectionRow, collections } from "../../model/collections/Collection.ts"
import * as Placement from "../../model/collections/Placement.ts"
import type { OrganizationId } from "../../model/organizations/Organization.ts"
import { grants } from "../../model/permissions/Permission.ts"
import { type SpaceRow, spaces } from "../../model/spaces/Space.ts"

type Store = Records["Service"]

/** The collections in a collection, at any depth; each behind the one that it is in. */
export const below = (records: Store, root: CollectionRow) =>
  records.find(collections, {
    where: Where.and<CollectionRow>(
      Where.eq("organization", root.organization),
      Where.startsWith<CollectionRow, "path">("path", Placement.pathIn(root))
    ),
    orderBy: ["path"]
  })

/** The depth of the deepest collection of a subtree, counted from its root, which is 1. */
export const heightOf = (root: CollectionRow, descendants: ReadonlyArray<CollectionRow>): number =>
  Math.max(0, ...descendants.map((row) => Placement.depthOf(row.path) - Placement.depthOf(root.path))) + 1

/**
 * Settles a subtree in a new place: gives all that is in it the paths and levels (and the organization) that
 * follow from its root, which has its own already. Two updates for each collection, however many spaces there are.
 */
export const settle = Effect.fnUntraced(function* (
  records: Store,
  root: CollectionRow,
  descendants: ReadonlyArray<CollectionRow>
): Effect.fn.Return<void, StorageUnavailable> {
  const organization = root.organization
  const settled = new Map([[root.id, root]])
  for (const row of descendants) {
    const container = settled.get(row.parent!)!
    const path = Placement.pathIn(container)
    const level = Placement.levelIn(container, row.defaultLevel)
    settled.set(row.id, { ...row, organization, path, level })
    yield* records.update(collections, Where.eq("id", row.id), { organization, path, level })
  }
  for (const container of settled.values()) {
    const inside = Where.eq<SpaceRow, "parent">("parent", container.id)
    yield* records.update(spaces, inside, { organization, path: Placement.pathIn(container) })
    yield* records.update(spaces, Where.and<SpaceRow>(inside, Where.eq("defaultLevel", "inherit")), {
      level: container.level
    })
  }
})

/** Takes back every grant on a subtree: on its collections and on the spaces in them. */
export const removeGrants = Effect.fnUntraced(function* (
  records: Store,
  organization: OrganizationId,
  folders: ReadonlyArray<CollectionRow>
) {
  const ids = folders.map((row) => row.id)
  yield* records.remove(
    grants,
    Where.and(
      Where.eq("organization", organization),
      Where.or(
        Where.isIn("target", ids),
        Where.inSelect("target", spaces, "id", Where.isIn<SpaceRow, "parent">("parent", ids))
      )
    )
  )
})
