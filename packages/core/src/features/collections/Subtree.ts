/** Queries and updates of everything in a collection: collections and spaces at any depth. */

import type { GrantedReader, GrantedRecords } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { type CollectionRow, collections, grants, type SpaceRow, spaces } from "@lectern/kernel/tables"
import * as Placement from "@lectern/model/collections"
import type { OrganizationId } from "@lectern/model/organizations"
import { Effect } from "effect"

/** Finds the collections in a collection, at any depth. Parents precede their children. */
export const findDescendants = (records: GrantedReader, root: CollectionRow) =>
  records.find(collections, {
    where: Where.and<CollectionRow>(
      Where.eq("organization", root.organization),
      Where.startsWith<CollectionRow, "path">("path", Placement.pathIn(root))
    ),
    orderBy: ["path"]
  })

/** The number of levels of a subtree; 1 for a root without collections in it. */
export const heightOf = (root: CollectionRow, descendants: ReadonlyArray<CollectionRow>): number =>
  Math.max(0, ...descendants.map((row) => Placement.depthOf(row.path) - Placement.depthOf(root.path))) + 1

/**
 * Updates the paths, levels and organization of everything in a subtree, after its root was updated to `root`. Executes
 * three updates per collection, independent of the number of spaces.
 */
export const updatePlacement = Effect.fnUntraced(function* (
  records: GrantedRecords,
  root: CollectionRow,
  descendants: ReadonlyArray<CollectionRow>
): Effect.fn.Return<void, StorageUnavailable> {
  const organization = root.organization
  const placed = new Map([[root.id, root]])
  for (const row of descendants) {
    const container = placed.get(row.parent!)!
    const path = Placement.pathIn(container)
    const level = Placement.levelIn(container, row.defaultLevel)
    placed.set(row.id, { ...row, organization, path, level })
    yield* records.update(collections, Where.eq("id", row.id), { organization, path, level })
  }
  for (const container of placed.values()) {
    const inside = Where.eq<SpaceRow, "parent">("parent", container.id)
    yield* records.update(spaces, inside, { organization, path: Placement.pathIn(container) })
    yield* records.update(spaces, Where.and<SpaceRow>(inside, Where.eq("defaultLevel", "inherit")), {
      level: container.level
    })
  }
})

/** Removes every grant on the collections of a subtree, and on the spaces in them. */
export const removeGrants = Effect.fnUntraced(function* (
  records: GrantedRecords,
  organization: OrganizationId,
  subtree: ReadonlyArray<CollectionRow>
) {
  const ids = subtree.map((row) => row.id)
  yield* records.remove(
    grants,
    Where.and(
      Where.eq("organization", organization),
      Where.or(
        Where.isIn("target", ids),
        records.inSelect("target", spaces, "id", Where.isIn<SpaceRow, "parent">("parent", ids))
      )
    )
  )
})

/** The spaces of a subtree in depth-first order, including spaces in the trash. */
export const spacesInOrder = Effect.fnUntraced(function* (
  records: GrantedReader,
  root: CollectionRow,
  descendants: ReadonlyArray<CollectionRow>
): Effect.fn.Return<ReadonlyArray<SpaceRow>, StorageUnavailable> {
  const found = yield* records.find(spaces, {
    where: Where.isIn<SpaceRow, "parent">(
      "parent",
      [root, ...descendants].map((row) => row.id)
    )
  })
  const children = Map.groupBy<string | null, CollectionRow | SpaceRow>(
    [...descendants, ...found],
    (row) => row.parent
  )
  const walk = (id: string): ReadonlyArray<SpaceRow> =>
    (children.get(id) ?? [])
      .toSorted((a, b) => (a.position < b.position ? -1 : 1))
      .flatMap((row) => ("revision" in row ? [row] : walk(row.id)))
  return walk(root.id)
})
