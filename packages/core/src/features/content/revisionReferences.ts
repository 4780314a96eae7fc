/** Finds the revisions that rows of a space refer to, which retention never removes. */

import type { GrantedReader } from "@lectern/access"
import { type StorageUnavailable, type Table, Where } from "@lectern/kernel"
import {
  archivedPages,
  changeRequests,
  comments,
  gitSyncs,
  importRuns,
  requestedReviewers,
  reviews,
  spaces
} from "@lectern/kernel/tables"
import type { RevisionId } from "@lectern/model/content"
import type { SpaceId } from "@lectern/model/spaces"
import { Effect } from "effect"

/** The columns that contain the id of a revision, by table: the heads, the bases of merges, and what users wrote about. */
export const revisionColumns: ReadonlyArray<{
  readonly table: Table.AnyTable
  readonly columns: ReadonlyArray<string>
  /** The column with the space, or with a change request of the space. */
  readonly owner: "id" | "space" | "changeRequest"
}> = [
  { table: spaces, columns: ["revision"], owner: "id" },
  {
    table: changeRequests,
    columns: ["revision", "revisionInitial", "revisionMergedAncestor", "revisionMerged"],
    owner: "space"
  },
  { table: comments, columns: ["revision"], owner: "space" },
  { table: archivedPages, columns: ["revision"], owner: "space" },
  { table: gitSyncs, columns: ["revision", "pushRevision", "pushBase"], owner: "space" },
  { table: importRuns, columns: ["revision"], owner: "space" },
  { table: reviews, columns: ["revision"], owner: "changeRequest" },
  { table: requestedReviewers, columns: ["revision"], owner: "changeRequest" }
]

/** Returns the revisions that rows of a space refer to. */
export const findReferencedRevisions = Effect.fnUntraced(function* (
  records: GrantedReader,
  space: SpaceId
): Effect.fn.Return<ReadonlySet<RevisionId>, StorageUnavailable> {
  const found = new Set<RevisionId>()
  for (const { table, columns, owner } of revisionColumns) {
    const where: Where.AnyWhere =
      owner === "changeRequest"
        ? records.inSelect(owner, changeRequests, "id", Where.eq("space", space))
        : { op: "eq", column: owner, value: space }
    for (const row of yield* records.find(table, { select: columns, where })) {
      for (const column of columns) {
        const id = row[column]
        if (typeof id === "string") found.add(id as RevisionId)
      }
    }
  }
  return found
})
