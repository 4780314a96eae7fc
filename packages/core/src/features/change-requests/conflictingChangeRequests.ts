/** Finds the change requests that cannot be merged without resolving conflicts. */

import type { GrantedReader } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { type ChangeRequestRow, changeRequests, type SpaceRow, spaces } from "@lectern/kernel/tables"
import type { SpaceId } from "@lectern/model/spaces"
import { Effect } from "effect"
import type { ContentStore } from "../content/ContentStore.ts"
import { merge } from "../content/merge/merge.ts"
import { rootsOf } from "./changeRequestQueries.ts"

/** The maximum number of change requests of a space that are examined, of which the last changed are first. */
const maximumExamined = 20

/** Returns the open change requests of spaces that conflict with the content of their space. Call it outside of a transaction. */
export const findConflicting = Effect.fnUntraced(function* (
  records: GrantedReader,
  content: ContentStore["Service"],
  ids: ReadonlyArray<SpaceId>
): Effect.fn.Return<ReadonlyArray<ChangeRequestRow>, StorageUnavailable> {
  const conflicting: Array<ChangeRequestRow> = []
  const found = yield* records.find(spaces, {
    where: Where.and<SpaceRow>(Where.isIn("id", ids), Where.isNull("deletedAt"))
  })
  for (const space of found) {
    const open = yield* records.find(changeRequests, {
      where: Where.and<ChangeRequestRow>(
        Where.eq("space", space.id),
        Where.isIn("status", ["draft", "open"])
      ),
      orderBy: ["updatedAt"],
      direction: "desc",
      limit: maximumExamined
    })
    for (const row of open) {
      const merged = yield* merge(content, yield* rootsOf(records, space, row))
      if (merged._tag === "Conflicts") conflicting.push(row)
    }
  }
  return conflicting
})
