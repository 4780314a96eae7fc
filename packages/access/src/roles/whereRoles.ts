/** Finds the content and the sites that the roles of a caller permit to see. */

import { type StorageUnavailable, Where } from "@lectern/kernel"
import { type CollectionRow, collections, type SiteRow } from "@lectern/kernel/tables"
import type { CollectionId } from "@lectern/model/collections"
import * as Placement from "@lectern/model/collections"
import { rolesFrom } from "@lectern/model/roles"
import type { SiteId } from "@lectern/model/sites"
import { Effect } from "effect"
import type { Caller, Placed } from "../Caller.ts"
import type { GrantedReader } from "../grants/Grant.ts"

/** Returns the condition that spaces or collections match if the roles of a caller permit to see them. */
export const whereRoles = Effect.fnUntraced(function* (
  records: GrantedReader,
  caller: Caller
): Effect.fn.Return<Where.Where<Placed>, StorageUnavailable> {
  if (caller.role === "admin") return Where.all
  const byLevel: Where.Where<Placed> =
    caller.role === null
      ? Where.none
      : Where.isIn<Placed, "level">("level", ["inherit", ...rolesFrom("read")])
  if (caller.granted.size === 0) return byLevel
  const targets = [...caller.granted.keys()]
  const folders = yield* records.find(collections, {
    where: Where.and<CollectionRow>(
      Where.eq("organization", caller.organization),
      Where.isIn(
        "id",
        targets.map((id) => id as CollectionId)
      )
    )
  })
  return Where.or<Placed>(
    byLevel,
    Where.isIn("id", targets),
    ...folders.map((folder) => Where.startsWith<Placed, "path">("path", Placement.pathIn(folder)))
  )
})

/** The condition that the sites match on which the caller or one of their teams has a role. */
export const whereSharedSite = ({ granted }: Caller): Where.Where<SiteRow> =>
  Where.isIn<SiteRow, "id">(
    "id",
    [...granted.keys()].map((id) => id as SiteId)
  )

/** Returns the condition that sites match if the roles of a caller permit to see them. */
export const whereVisibleSite = (caller: Caller): Where.Where<SiteRow> =>
  caller.role === null ? whereSharedSite(caller) : Where.all
