/** Finds the merges whose content a later revision of the space has undone. */

import type { GrantedReader } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type ChangeRequestRow,
  type RevisionRow,
  returnsOf,
  revisions,
  type SpaceRow
} from "@lectern/kernel/tables"
import type { RevisionId } from "@lectern/model/content"
import { Effect } from "effect"

/** The maximum number of the latest rollbacks that are considered. */
const maximumRollbacks = 1_000

/**
 * Returns the revisions that undid the merges of change requests, by the ids of the change requests. A merge is undone if the space
 * returned to the content of a revision before it, and did not return to the merged content since.
 */
export const findUndoneMerges = Effect.fnUntraced(function* (
  records: GrantedReader,
  spaces: ReadonlyArray<Pick<SpaceRow, "id" | "revision">>,
  rows: ReadonlyArray<ChangeRequestRow>
): Effect.fn.Return<ReadonlyMap<string, RevisionId>, StorageUnavailable> {
  const heads = new Map(spaces.map(({ id, revision }) => [id, revision]))
  // The latest merge of a space cannot be undone.
  const merged = rows.flatMap(({ id, space, revisionMerged }) =>
    revisionMerged === null || heads.get(space) === revisionMerged ? [] : [{ id, space, revisionMerged }]
  )
  const undone = new Map<string, RevisionId>()
  if (merged.length === 0) return undone
  const primary = Where.and<RevisionRow>(
    Where.isIn("space", [...new Set(merged.map(({ space }) => space))]),
    Where.isNull("changeRequest"),
    Where.isNull("replacedAt")
  )
  const rollbacks = yield* records.find(revisions, {
    select: ["id", "space", "root"],
    where: Where.and<RevisionRow>(primary, Where.eq("type", "rollback")),
    direction: "desc",
    limit: maximumRollbacks
  })
  if (rollbacks.length === 0) return undone
  const earlier = yield* records.find(revisions, {
    select: ["id", "space", "root"],
    where: Where.and<RevisionRow>(
      primary,
      Where.isIn("root", [...new Set(rollbacks.map(({ root }) => root))])
    )
  })
  const earlierBySpace = Map.groupBy(earlier, ({ space }) => space)
  for (const [space, list] of Map.groupBy(rollbacks, ({ space }) => space)) {
    const returns = returnsOf(list, earlierBySpace.get(space) ?? [])
    for (const { id, revisionMerged } of merged.filter((row) => row.space === space)) {
      const over = returns.find(({ from, to }) => revisionMerged > to && revisionMerged < from)
      if (over !== undefined) undone.set(id, over.from)
    }
  }
  return undone
})
