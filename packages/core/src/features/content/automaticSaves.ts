/**
 * Automatic saves: consecutive ones of one user to one change request are one entry of the history. A save replaces the one before, and
 * has its parents. The replaced revision remains for an hour, because requests, exports and jobs in progress read it by its id.
 */

import { type GrantedRecords, Locks } from "@lectern/access"
import { type Records, type StorageUnavailable, toTimestamp, Where } from "@lectern/kernel"
import { type RevisionRow, revisions, type SpaceRow, spaces } from "@lectern/kernel/tables"
import type { RevisionId } from "@lectern/model/content"
import type { SpaceId } from "@lectern/model/spaces"
import { Clock, Effect } from "effect"
import type { ResolvedContent } from "./ContentAccess.ts"
import { findReferencedRevisions } from "./revisionReferences.ts"

/** How long automatic saves are joined, in milliseconds: 15 minutes after the first. */
export const joinedMillis = 15 * 60 * 1_000

/** How long a replaced revision remains readable, in milliseconds: 1 hour. */
export const replacedMillis = 60 * 60 * 1_000

/**
 * When a replaced revision is removed that a row refers to, such as a comment: never. It remains readable by its id, and is in no
 * history.
 */
const never = "9999-12-31T23:59:59.999Z"

/** The number of replaced revisions that one query reads. */
const batchSize = 500

/** The columns of a revision that depend on whether it is an automatic save. */
export interface SaveColumns extends Pick<RevisionRow, "parents" | "automaticSince" | "replaces"> {}

/**
 * Returns the columns of the revision that a save creates. An automatic save replaces the current revision of the change request if
 * that is an automatic save of the same user, whose first one was at most 15 minutes ago.
 */
export const saveColumns = (
  { changeRequest, revision, caller }: ResolvedContent,
  isAutomatic: boolean,
  millis: number
): SaveColumns => {
  if (!isAutomatic || changeRequest === undefined) {
    return { parents: [revision.id], automaticSince: null, replaces: null }
  }
  const since = revision.automaticSince
  const isJoined =
    since !== null &&
    revision.changeRequest === changeRequest.id &&
    revision.author === caller.user &&
    since >= toTimestamp(millis - joinedMillis)
  return isJoined
    ? { parents: revision.parents, automaticSince: since, replaces: revision.id }
    : { parents: [revision.id], automaticSince: toTimestamp(millis), replaces: null }
}

/** Whether a revision cannot have been removed because an automatic save replaced it. */
export const isRetained = ({ automaticSince, createdAt }: RevisionRow, millis: number): boolean =>
  automaticSince === null || createdAt > toTimestamp(millis - replacedMillis)

/** Marks the revision that a save has replaced, if it did. It is removed later. */
export const markReplaced = (
  records: GrantedRecords,
  { replaces, createdAt }: Pick<RevisionRow, "replaces" | "createdAt">
): Effect.Effect<void, StorageUnavailable> =>
  replaces === null
    ? Effect.void
    : records.updateUncounted(revisions, Where.eq<RevisionRow, "id">("id", replaces), {
        replacedAt: createdAt
      })

/** Removes replaced revisions of a space that no row refers to, such as a comment that was posted on one. */
const removeReplacedOf = Effect.fnUntraced(function* (
  records: GrantedRecords,
  space: SpaceId,
  ids: ReadonlyArray<RevisionId>
): Effect.fn.Return<number, StorageUnavailable> {
  const referenced = yield* findReferencedRevisions(records, space)
  const [kept, unused] = [ids.filter((id) => referenced.has(id)), ids.filter((id) => !referenced.has(id))]
  // A revision that a row refers to remains, and is not found again.
  if (kept.length > 0) {
    yield* records.update(revisions, Where.isIn<RevisionRow, "id">("id", kept), { replacedAt: never })
  }
  if (unused.length === 0) return 0
  yield* records.remove(revisions, Where.isIn<RevisionRow, "id">("id", unused))
  yield* records.update(spaces, Where.eq<SpaceRow, "id">("id", space), { isCounted: false })
  return unused.length
})

/** Removes the revisions that automatic saves replaced more than an hour ago, and returns their number. */
export const removeReplaced = Effect.fnUntraced(function* (
  store: Records["Service"],
  records: GrantedRecords
): Effect.fn.Return<number, StorageUnavailable> {
  const moment = toTimestamp((yield* Clock.currentTimeMillis) - replacedMillis)
  let removed = 0
  for (;;) {
    const rows = yield* records.find(revisions, {
      select: ["id", "space"],
      where: Where.lt<RevisionRow, "replacedAt">("replacedAt", moment),
      limit: batchSize
    })
    for (const [space, ofSpace] of Map.groupBy(rows, (row) => row.space)) {
      removed += yield* store.lockedTransaction(
        Locks.space({ space }),
        removeReplacedOf(
          records,
          space,
          ofSpace.map(({ id }) => id)
        )
      )
    }
    if (rows.length < batchSize) return removed
  }
})
