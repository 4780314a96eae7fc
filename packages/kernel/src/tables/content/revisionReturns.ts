/** The returns of a space to the content of an earlier revision. Pure functions on rows. */
import type { RevisionId } from "@lectern/model/content"
import type { RevisionRow } from "./revisionTable.ts"

/** The columns of a revision that its content is compared by. */
export type ComparedRevision = Pick<RevisionRow, "id" | "space" | "root">

/** A revision that has the content of an earlier one: the content of the revisions between them is undone. */
export interface RevisionReturn {
  /** The id of the revision that returned. */
  readonly from: RevisionId
  /** The id of the earlier revision. */
  readonly to: RevisionId
}

/** Returns the ranges of undone revisions, the latest first. `earlier` are revisions with the content of a rollback. */
export const returnsOf = (
  rollbacks: ReadonlyArray<ComparedRevision>,
  earlier: ReadonlyArray<ComparedRevision>
): ReadonlyArray<RevisionReturn> => {
  const found: Array<RevisionReturn> = []
  let current: RevisionId | undefined
  for (const { id, root } of rollbacks) {
    // A rollback that is undone itself undoes nothing.
    if (current !== undefined && id > current) continue
    const before = earlier.filter((revision) => revision.root === root && revision.id < id)
    const to = before.reduce<RevisionId | undefined>(
      (latest, revision) => (latest === undefined || revision.id > latest ? revision.id : latest),
      undefined
    )
    if (to === undefined) continue
    found.push({ from: id, to })
    current = to
  }
  return found
}
