/** Converts places to resources, with the titles and paths that they have now. */

import type { GrantedReader } from "@lectern/access"
import { type MerkleMaps, maximumDepth, pathOf, readTree, type Tree } from "@lectern/content"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { type PlaceRow, type RevisionRow, revisions, type SpaceRow } from "@lectern/kernel/tables"
import type { PageId } from "@lectern/model/content"
import type { Place } from "@lectern/model/places"
import { defaultEmoji } from "@lectern/model/spaces"
import { Effect } from "effect"

/** Returns the title and the path of a page, or `undefined` if the content does not have it. */
const findPage = Effect.fnUntraced(function* (
  tree: Tree,
  id: PageId
): Effect.fn.Return<{ readonly title: string; readonly path: string } | undefined, StorageUnavailable> {
  const page = yield* tree.page(id)
  if (page === undefined) return undefined
  const above = [page]
  for (let { parent } = page; parent !== "" && above.length < maximumDepth; ) {
    const next = yield* tree.page(parent)
    if (next === undefined) break
    above.unshift(next)
    parent = next.parent
  }
  return { title: page.title, path: above.reduce((path, one) => pathOf(path, one), "") }
})

/** Converts the places whose space is among the spaces, and whose page exists. */
export const presentPlaces = Effect.fnUntraced(function* (
  maps: MerkleMaps,
  records: GrantedReader,
  rows: ReadonlyArray<PlaceRow>,
  spaces: ReadonlyArray<SpaceRow>
): Effect.fn.Return<ReadonlyArray<Place>, StorageUnavailable> {
  const bySpace = new Map(spaces.map((space) => [space.id, space]))
  const heads = yield* records.find(revisions, {
    select: ["id", "root"],
    where: Where.isIn<RevisionRow, "id">(
      "id",
      spaces.map(({ revision }) => revision)
    )
  })
  const treeOf = new Map(heads.map(({ id, root }) => [id, readTree(maps, root)]))
  const found: Array<Place> = []
  for (const { kind, space: id, page, at } of rows) {
    const space = bySpace.get(id)
    if (space === undefined) continue
    const place = {
      object: "place" as const,
      kind,
      space: id,
      spaceTitle: space.title,
      emoji: space.emoji ?? defaultEmoji,
      at
    }
    if (page === "") {
      found.push(place)
      continue
    }
    const tree = treeOf.get(space.revision)
    const current = tree === undefined ? undefined : yield* findPage(tree, page)
    if (current !== undefined) found.push({ ...place, page, ...current })
  }
  return found
})
