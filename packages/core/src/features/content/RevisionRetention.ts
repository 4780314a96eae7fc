/**
 * Retention of revisions: removes the revisions that are older than a setting, except for revisions that rows refer to, and their
 * parents. Garbage collection then deletes the content that only they had.
 */

import { type GrantedRecords, Locks } from "@lectern/access"
import { type Records, type StorageUnavailable, toTimestamp, Where } from "@lectern/kernel"
import { type RevisionRow, revisions, type SpaceRow, spaces } from "@lectern/kernel/tables"
import type { RevisionId } from "@lectern/model/content"
import type { SpaceId } from "@lectern/model/spaces"
import { Clock, Context, Effect } from "effect"
import { findReferencedRevisions } from "./revisionReferences.ts"

/**
 * How long revisions remain, in milliseconds; undefined, the default, if all do. It is read when the workspace is built, and
 * must be the same in all processes.
 */
export const RevisionRetention = Context.Reference<number | undefined>("@lectern/core/RevisionRetention", {
  defaultValue: () => undefined
})

/** The number of revisions per transaction. */
const removedPerTransaction = 200

/** The number of revisions per query. */
const revisionsPerQuery = 5_000

type LightRevision = Pick<RevisionRow, "id" | "parents" | "createdAt">

/** Returns the revisions of a space by ascending id: each comes after its parents. */
const readRevisions = Effect.fnUntraced(function* (
  records: GrantedRecords,
  space: SpaceId
): Effect.fn.Return<ReadonlyArray<LightRevision>, StorageUnavailable> {
  const all: Array<LightRevision> = []
  for (;;) {
    const last = all.at(-1)
    const rows: ReadonlyArray<LightRevision> = yield* records.find(revisions, {
      select: ["id", "parents", "createdAt"],
      where: Where.eq<RevisionRow, "space">("space", space),
      limit: revisionsPerQuery,
      ...(last === undefined ? {} : { after: [last.id] })
    })
    all.push(...rows)
    if (rows.length < revisionsPerQuery) return all
  }
})

/**
 * Returns the revisions that retention removes, newest first: the revisions that were created before `moment`, that no row refers to,
 * and that no other remaining revision has as a parent. A revision that remains as a parent only is the start of the history.
 */
export const findExpired = (
  all: ReadonlyArray<LightRevision>,
  referenced: ReadonlySet<RevisionId>,
  moment: string
): ReadonlyArray<RevisionId> => {
  const needed = all.filter(({ id, createdAt }) => createdAt >= moment || referenced.has(id))
  const remaining = new Set(needed.flatMap(({ id, parents }) => [id, ...parents]))
  return all
    .filter(({ id }) => !remaining.has(id))
    .map(({ id }) => id)
    .reverse()
}

/**
 * Removes expired revisions of a space, and from the parents of the revisions that remain. `earlier` has the revisions that earlier
 * transactions removed since `all` was read. Returns the removed revisions.
 */
const removeRevisions = Effect.fnUntraced(function* (
  records: GrantedRecords,
  space: SpaceId,
  all: ReadonlyArray<LightRevision>,
  expired: ReadonlyArray<RevisionId>,
  earlier: ReadonlySet<RevisionId>
): Effect.fn.Return<ReadonlySet<RevisionId>, StorageUnavailable> {
  // A comment or a change request can have been created since they were found.
  const referenced = yield* findReferencedRevisions(records, space)
  const removed = new Set(expired.filter((id) => !referenced.has(id)))
  if (removed.size === 0) return removed
  for (const { id, parents } of all) {
    if (removed.has(id) || earlier.has(id) || !parents.some((parent) => removed.has(parent))) continue
    yield* records.update(revisions, Where.eq<RevisionRow, "id">("id", id), {
      parents: parents.filter((parent) => !removed.has(parent) && !earlier.has(parent))
    })
  }
  yield* records.remove(revisions, Where.isIn<RevisionRow, "id">("id", [...removed]))
  yield* records.update(spaces, Where.eq<SpaceRow, "id">("id", space), { isCounted: false })
  return removed
})

/** Removes the revisions of one space that retention removes, in several transactions, and returns their number. */
const expireRevisionsOf = Effect.fnUntraced(function* (
  store: Records["Service"],
  records: GrantedRecords,
  space: SpaceId,
  moment: string
): Effect.fn.Return<number, StorageUnavailable> {
  const all = yield* readRevisions(records, space)
  const expired = findExpired(all, yield* findReferencedRevisions(records, space), moment)
  const removed = new Set<RevisionId>()
  // Newest first: after each transaction, all parents of the revisions that remain exist.
  for (let at = 0; at < expired.length; at += removedPerTransaction) {
    const some = expired.slice(at, at + removedPerTransaction)
    const ids = yield* store.lockedTransaction(
      Locks.space({ space }),
      removeRevisions(records, space, all, some, removed)
    )
    for (const id of ids) removed.add(id)
  }
  return removed.size
})

/**
 * Removes the revisions that are older than `retentionMs`, and returns their number. Reads of the remaining revisions do not
 * change, except that the oldest ones have no parents.
 */
export const expireRevisions = Effect.fnUntraced(function* (
  store: Records["Service"],
  records: GrantedRecords,
  retentionMs: number
): Effect.fn.Return<number, StorageUnavailable> {
  const moment = toTimestamp((yield* Clock.currentTimeMillis) - retentionMs)
  const old = yield* records.countBy(
    revisions,
    "space",
    Where.lt<RevisionRow, "createdAt">("createdAt", moment)
  )
  let removed = 0
  for (const [space, count] of old) {
    // A space that is not edited has one old revision, its head.
    if (count > 1) removed += yield* expireRevisionsOf(store, records, space as SpaceId, moment)
    yield* Effect.yieldNow
  }
  return removed
})
