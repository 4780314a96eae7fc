/** Queries that several operations on change requests share. */

import type { GrantedReader } from "@lectern/access"
import { type BlobHash, Where } from "@lectern/kernel"
import {
  baseOf,
  type ChangeRequestRow,
  contributors,
  type RevisionRow,
  revisions,
  type SpaceRow
} from "@lectern/kernel/tables"
import type { ListChangeRequests } from "@lectern/model/change-requests"
import { Effect } from "effect"

/** Loads the content roots of the three sides of a merge: the base, the space, and the change request. */
export const rootsOf = Effect.fnUntraced(function* (
  records: GrantedReader,
  space: SpaceRow,
  row: ChangeRequestRow
) {
  const revisionIds = [baseOf(row), space.revision, row.revision]
  const found = yield* records.find(revisions, {
    select: ["id", "root"],
    where: Where.and<RevisionRow>(Where.isIn("id", revisionIds), Where.eq("space", space.id))
  })
  const roots = new Map(found.map(({ id, root }) => [id, root]))
  const [before, primary, proposed] = revisionIds.map((id) => roots.get(id)!) as [
    BlobHash,
    BlobHash,
    BlobHash
  ]
  return { base: before, primary, change: proposed }
})

/** The condition of the filters of a list. */
export const whereListed = (
  records: GrantedReader,
  { status = "open", creator, contributor }: ListChangeRequests
): Where.Where<ChangeRequestRow> =>
  Where.and<ChangeRequestRow>(
    Where.eq("status", status),
    creator === undefined ? Where.all : Where.eq("createdBy", creator),
    contributor === undefined
      ? Where.all
      : records.inSelect("id", contributors, "changeRequest", Where.eq("user", contributor))
  )
