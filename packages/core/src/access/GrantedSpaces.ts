/** The spaces that grants reach: those that are shared themselves, and those in collections that are. */
import { Effect } from "effect"
import { type StorageUnavailable, Where } from "../kernel/storage/index.ts"
import { type CollectionId, type CollectionRow, collections } from "../model/collections/Collection.ts"
import * as Placement from "../model/collections/Placement.ts"
import type { OrganizationId } from "../model/organizations/Organization.ts"
import { type SpaceId, type SpaceRow, spaces } from "../model/spaces/Space.ts"
import type { GrantedReader } from "./grants/Grant.ts"

/** What counts of a space, to tell who sees it. */
export type GrantedSpace = Pick<SpaceRow, "id" | "path" | "level">

/** The spaces of an organization that are, or are in, any of the targets; those in the bin are none. */
export const under = Effect.fnUntraced(function* (
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

/** Whether a space is, or is in, one of the targets. */
export const isUnder = (space: GrantedSpace, targets: ReadonlySet<string>): boolean =>
  targets.has(space.id) || Placement.ancestorsOf(space.path).some((above) => targets.has(above))
