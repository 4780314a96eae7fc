/**
 * Records the commits of exports. The revision of a commit is written before the push, and becomes the base of the next merge
 * after it. A server that stops in between finds out from the branch whether the commit was pushed.
 */

import { type CurrentUser, Locks } from "@lectern/access"
import { newRevision } from "@lectern/content"
import { fetchAncestors, openRemote } from "@lectern/formats"
import { type BlobHash, JobFailed, now, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type GitSyncRow,
  gitSyncs,
  type RevisionRow,
  revisions,
  type SpaceRow,
  spaces
} from "@lectern/kernel/tables"
import type { GitCommit } from "@lectern/model/content"
import { Effect, Result } from "effect"
import { RevisionCommitted } from "../content/ContentEvents.ts"
import { merge } from "../content/merge/merge.ts"
import { mapNotReadable } from "../imports/ImportContext.ts"
import {
  countRevision,
  findUnchanged,
  type GitServices,
  makeContext,
  type OperationError,
  type Round,
  rootOf
} from "./gitRound.ts"
import type { Snapshot } from "./snapshot.ts"

/** The columns of a synchronization without a commit that is being pushed. */
const noPush = { pushOperation: null, pushRevision: null, pushBase: null } as const

/** A commit of an export, with its content. */
interface Exported {
  readonly snapshot: Snapshot
  readonly git: GitCommit
  readonly headRoot: BlobHash
}

/**
 * Writes the revision of a commit before it is pushed, with all checks that can fail. Returns the state with it; undefined if
 * the synchronization is not in the state of the round anymore.
 */
export const preparePush = Effect.fnUntraced(function* (
  services: GitServices,
  round: Round,
  { snapshot, git, headRoot }: Exported
): Effect.fn.Return<GitSyncRow | undefined, OperationError, CurrentUser> {
  const { access, ids, outlines, records } = services
  const { operation, row, space } = round
  return yield* services.lockedTransaction(
    Locks.space({ space: space.id }),
    Effect.gen(function* () {
      // The caller may have lost their access in the meantime.
      const { space: current } = yield* access.space(space.id, "configure")
      const latest = yield* findUnchanged(services, round)
      if (latest === undefined) return undefined
      const revision = yield* newRevision(ids, {
        organization: current.organization,
        space: space.id,
        type: "edits",
        root: yield* snapshot.write,
        parents: [space.revision],
        author: row.user,
        message: git.message.slice(0, 1000),
        git,
        createdAt: yield* now
      })
      yield* records.insert(revisions, revision)
      yield* outlines.write([...snapshot.outlines.keys()], snapshot.outlines)
      const other = yield* rootOf(services, current.revision)
      yield* countRevision(services, current, { before: headRoot, after: revision.root, other })
      const push = {
        pushOperation: operation.id,
        pushRevision: revision.id,
        pushBase: space.revision
      }
      yield* records.update(gitSyncs, Where.eq<GitSyncRow, "space">("space", space.id), push)
      return { ...latest, ...push }
    })
  )
})

/** Makes the revision of a pushed commit the content of the space, merged with the edits since the export has started. */
const advanceHead = Effect.fnUntraced(function* (
  { events, ids, records, store }: GitServices,
  pushed: RevisionRow,
  { pushBase }: GitSyncRow
): Effect.fn.Return<void, StorageUnavailable> {
  const space = yield* records.get(spaces, { id: pushed.space })
  if (space === undefined) return
  const head = yield* records.get(revisions, { id: space.revision })
  const base = pushBase === null ? undefined : yield* records.get(revisions, { id: pushBase })
  if (head === undefined || base === undefined) return
  const merged = yield* merge(store, { base: base.root, primary: head.root, change: pushed.root })
  // The revision differs from its base in how content is written. Edits in the meantime take precedence.
  if (merged._tag !== "Merged" || merged.root === head.root) return
  let revision = pushed
  if (head.id !== base.id) {
    const { author, git, message } = pushed
    const parents = [head.id, pushed.id]
    const { organization } = space
    const columns = {
      organization,
      space: pushed.space,
      type: "edits",
      author,
      git,
      message,
      parents
    } as const
    revision = yield* newRevision(ids, { ...columns, root: merged.root, createdAt: yield* now })
    yield* records.insert(revisions, revision)
  }
  yield* records.update(spaces, Where.eq<SpaceRow, "id">("id", pushed.space), {
    revision: revision.id,
    updatedAt: yield* now
  })
  const { id, organization } = space
  yield* events.publish(RevisionCommitted, {
    space: id,
    organization,
    before: head.root,
    after: revision.root
  })
})

/**
 * Records that the commit is on the branch, and that its operation was successful, so that the operation pushes no other commit.
 * It cannot fail for a reason of the caller, whose access was checked before.
 */
export const recordPush = (
  services: GitServices,
  { row }: Pick<Round, "row">
): Effect.Effect<void, StorageUnavailable> =>
  services.lockedTransaction(
    Locks.space({ space: row.space }),
    Effect.gen(function* () {
      const { records } = services
      const latest = yield* records.get(gitSyncs, { space: row.space })
      if (row.pushRevision === null || latest?.pushRevision !== row.pushRevision) return
      const pushed = yield* records.get(revisions, { id: row.pushRevision })
      if (pushed === undefined) return
      yield* advanceHead(services, pushed, row)
      const time = yield* now
      yield* records.update(gitSyncs, Where.eq<GitSyncRow, "space">("space", row.space), {
        ...noPush,
        ...(latest.operation === latest.pushOperation
          ? { state: "success", error: null, updatedAt: time, completedAt: time }
          : {}),
        revision: pushed.id,
        commit: pushed.git?.oid ?? null,
        changeRequest: null
      })
    })
  )

/** Removes the revision of a commit that is not on the branch. */
const discardPush = ({ records, lockedTransaction }: GitServices, { row }: Pick<Round, "row">) =>
  lockedTransaction(
    Locks.space({ space: row.space }),
    Effect.gen(function* () {
      const latest = yield* records.get(gitSyncs, { space: row.space })
      if (row.pushRevision === null || latest?.pushRevision !== row.pushRevision) return
      yield* records.update(gitSyncs, Where.eq<GitSyncRow, "space">("space", row.space), noPush)
      yield* records.remove(revisions, Where.eq<RevisionRow, "id">("id", row.pushRevision))
    })
  )

/** Whether a commit is on the branch: it is the latest one, or an ancestor of it. */
const isOnBranch = Effect.fnUntraced(function* (
  services: GitServices,
  { row, remote }: Pick<Round, "row" | "remote">,
  oid: string
): Effect.fn.Return<boolean, OperationError> {
  const opened = yield* openRemote(services.fetch, remote, "git-upload-pack")
  const tip = opened.advertisement.references.get(row.ref)
  if (tip === undefined || tip === row.commit) return false
  if (tip === oid) return true
  const pack = yield* fetchAncestors(services.fetch, opened, tip, row.commit ?? undefined, services.limits)
  const { context } = yield* makeContext(services)
  return yield* mapNotReadable(context.processPack("gitContains", { bytes: pack, commit: oid }))
})

/**
 * Finds out whether the commit that an export was pushing is on the branch, and records it or discards its revision. Returns
 * whether it is. Retries the job if the Git server does not respond, because the operation must not fail after a push.
 */
export const settlePush = Effect.fnUntraced(function* (
  services: GitServices,
  round: Pick<Round, "row" | "remote">
): Effect.fn.Return<boolean, StorageUnavailable | JobFailed> {
  const { records } = services
  const { pushRevision } = round.row
  const pushed = pushRevision === null ? undefined : yield* records.get(revisions, { id: pushRevision })
  const oid = pushed?.git?.oid
  if (oid === undefined) {
    yield* discardPush(services, round)
    return false
  }
  const found = yield* Effect.result(isOnBranch(services, round, oid))
  if (Result.isFailure(found)) {
    const error = found.failure
    if (error._tag === "StorageUnavailable") return yield* error
    return yield* new JobFailed({
      message: `Whether the commit ${oid} was pushed to ${round.row.ref} is unknown: ${error.message}`
    })
  }
  yield* found.success ? recordPush(services, round) : discardPush(services, round)
  return found.success
})
