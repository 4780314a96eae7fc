/** Finds the spaces that grants apply to: directly, or as descendants of collections. */

import { type StorageUnavailable, Where } from "@lectern/kernel"
import { type CollectionRow, collections, type SpaceRow, spaces } from "@lectern/kernel/tables"
import type { CollectionId } from "@lectern/model/collections"
import * as Placement from "@lectern/model/collections"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SpaceId } from "@lectern/model/spaces"
import { Effect } from "effect"
import type { GrantedReader } from "./Grant.ts"

/** The columns of a space that decide who can see it. */
export type GrantedSpace = Pick<SpaceRow, "id" | "path" | "level">

/** Finds the spaces of an organization that are among the targets or below them, except for spaces in the trash. */
export const findSpacesUnder = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: OrganizationId,
  targets: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<GrantedSpace>, StorageUnavailable> {
  if (targets.length === 0) return []
  const folders = yield* records.find(collections, {
    where: Where.and<CollectionRow>(
      Where.eq("organization", organization),
      Where.isIn("id", targets as ReadonlyArray<CollectionId>)
    )
  })
  return yield* records.find(spaces, {
    select: ["id", "path", "level"],
    where: Where.and<SpaceRow>(
      Where.eq("organization", organization),
      Where.isNull("deletedAt"),
      Where.or<SpaceRow>(
        Where.isIn("id", targets as ReadonlyArray<SpaceId>),
        ...folders.map((folder) => Where.startsWith<SpaceRow, "path">("path", Placement.pathIn(folder)))
      )
    )
  })
})

/** Whether a space is one of the targets or a descendant of one. */
export const isUnder = (space: GrantedSpace, targets: ReadonlySet<string>): boolean =>
  targets.has(space.id) || Placement.ancestorsOf(space.path).some((ancestor) => targets.has(ancestor))
