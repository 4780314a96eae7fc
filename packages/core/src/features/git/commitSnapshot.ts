/** Writes the content of a commit to a space: as its new revision, merged into it, or as a change request. */

import type { GrantedRecords } from "@lectern/access"
import { emptyRoot, newRevision } from "@lectern/content"
import {
  type BlobHash,
  type Ids,
  type StorageUnavailable,
  type TransactionEvents,
  Where
} from "@lectern/kernel"
import {
  type ChangeRequestRow,
  changeRequests,
  contributors,
  type GitSyncRow,
  type RevisionRow,
  revisions,
  type SpaceRow,
  spaces
} from "@lectern/kernel/tables"
import { ChangeRequestId, countsOf } from "@lectern/model/change-requests"
import type { GitCommit, RevisionId } from "@lectern/model/content"
import type { UserId } from "@lectern/model/users"
import { Effect } from "effect"
import { RevisionCommitted } from "../content/ContentEvents.ts"
import type { ContentStore } from "../content/ContentStore.ts"
import { merge } from "../content/merge/merge.ts"
import type { Outlines } from "../content/Outlines.ts"
import type { Snapshot } from "./snapshot.ts"

/** The services that write content. */
export interface CommitServices {
  readonly store: ContentStore["Service"]
  readonly ids: Ids["Service"]
  readonly events: TransactionEvents["Service"]
  readonly outlines: Outlines["Service"]
  readonly records: GrantedRecords
}

/** A snapshot to write, with the sides of its merge. */
export interface SnapshotCommit {
  readonly snapshot: Snapshot
  readonly git: GitCommit
  readonly user: UserId
  readonly time: string
  /** The root of the content that the snapshot changes. */
  readonly base: BlobHash
  /** Whether the snapshot replaces the content of the space. */
  readonly isForced: boolean
  /** The open change request of earlier conflicts, which the changes are merged into. */
  readonly request: ChangeRequestRow | undefined
}

/** Whether a change request still proposes content. */
const isOpen = (request: ChangeRequestRow | undefined): request is ChangeRequestRow =>
  request?.status === "open" || request?.status === "draft"

/** Loads the change request with conflicts of a row; undefined if it is not set, or is merged or archived. */
export const findOpenRequest = Effect.fnUntraced(function* (
  records: Pick<GrantedRecords, "get">,
  { changeRequest }: Pick<GitSyncRow, "changeRequest">
): Effect.fn.Return<ChangeRequestRow | undefined, StorageUnavailable> {
  const request =
    changeRequest === null ? undefined : yield* records.get(changeRequests, { id: changeRequest })
  return isOpen(request) ? request : undefined
})

/** Writes a snapshot that is merged with the content of the space, in the current transaction. */
export const commitSnapshot = Effect.fnUntraced(function* (
  services: CommitServices,
  space: SpaceRow,
  row: GitSyncRow,
  { snapshot, git, user, time, base, isForced, request }: SnapshotCommit
): Effect.fn.Return<
  { readonly revision: RevisionId; readonly changeRequest: ChangeRequestId | null },
  StorageUnavailable
> {
  const { store, ids, records } = services
  const head = (yield* records.get(revisions, { id: space.revision }))!
  const root = yield* snapshot.write
  const { id, organization } = space
  const message = git.message.slice(0, 1000)
  const columns = { organization, space: id, author: user, message, git, createdAt: time }

  const moveHead = Effect.fnUntraced(function* (revision: RevisionRow) {
    yield* records.update(spaces, Where.eq<SpaceRow, "id">("id", space.id), {
      revision: revision.id,
      updatedAt: time
    })
    yield* services.events.publish(RevisionCommitted, {
      space: space.id,
      organization: space.organization,
      before: head.root,
      after: revision.root,
      outlines: snapshot.outlines
    })
  })

  const merged = isForced
    ? ({ _tag: "Merged", root } as const)
    : yield* merge(store, { base, primary: head.root, change: root })
  if (request === undefined && merged._tag === "Merged" && merged.root === root) {
    // The content of the space is that of the commit.
    if (root === head.root) return { revision: head.id, changeRequest: null }
    const revision = yield* newRevision(ids, { ...columns, type: "edits", root, parents: [head.id] })
    yield* records.insert(revisions, revision)
    yield* moveHead(revision)
    return { revision: revision.id, changeRequest: null }
  }

  const parents = row.revision === null ? [] : [row.revision]
  const synchronized = yield* newRevision(ids, { ...columns, type: "edits", root, parents })
  yield* records.insert(revisions, synchronized)
  const revision = synchronized.id
  if (request === undefined && merged._tag === "Merged") {
    if (merged.root !== head.root) {
      const mergeRevision = yield* newRevision(ids, {
        ...columns,
        type: "edits",
        root: merged.root,
        parents: [head.id, revision]
      })
      yield* records.insert(revisions, mergeRevision)
      yield* moveHead(mergeRevision)
    }
    return { revision, changeRequest: null }
  }
  yield* services.outlines.write([...snapshot.outlines.keys()], snapshot.outlines)
  if (request !== undefined) {
    const proposed = (yield* records.get(revisions, { id: request.revision }))!
    const updated = yield* merge(store, { base, primary: proposed.root, change: root })
    if (updated._tag === "Merged") {
      const update = yield* newRevision(ids, {
        ...columns,
        changeRequest: request.id,
        type: "update",
        root: updated.root,
        parents: [proposed.id, revision]
      })
      yield* records.insert(revisions, update)
      yield* records.update(changeRequests, Where.eq<ChangeRequestRow, "id">("id", request.id), {
        revision: update.id,
        updatedAt: time
      })
      return { revision, changeRequest: request.id }
    }
  }
  const changeRequest = yield* propose(services, space, {
    revision,
    base: request?.revisionInitial ?? row.revision,
    git,
    user,
    time
  })
  return { revision, changeRequest }
})

/** Creates a change request that proposes a revision. Returns its id. */
const propose = Effect.fnUntraced(function* (
  { ids, records }: CommitServices,
  space: SpaceRow,
  proposal: {
    readonly revision: RevisionId
    readonly base: RevisionId | null
    readonly git: GitCommit
    readonly user: UserId
    readonly time: string
  }
): Effect.fn.Return<ChangeRequestId, StorageUnavailable> {
  const { revision, git, user, time } = proposal
  let { base } = proposal
  if (base === null) {
    // Without an earlier commit, both sides have changed an empty content.
    const columns = { organization: space.organization, space: space.id, author: user, createdAt: time }
    const empty = yield* newRevision(ids, { ...columns, type: "edits", root: emptyRoot, parents: [] })
    yield* records.insert(revisions, empty)
    base = empty.id
  }
  const number = (yield* records.next(spaces, { id: space.id }, "changeRequests"))!
  const id = ChangeRequestId.make(yield* ids.next)
  const branch = (git.ref ?? "").replace(/^refs\/(?:heads|tags)\//, "")
  yield* records.insert(changeRequests, {
    id,
    organization: space.organization,
    space: space.id,
    number,
    status: "open",
    subject: `Changes of ${branch.slice(0, 60)} up to ${git.oid.slice(0, 7)}`,
    description: null,
    createdBy: user,
    mergeRules: null,
    agentTaskId: null,
    revision,
    revisionInitial: base,
    revisionMergedAncestor: null,
    revisionMerged: null,
    comments: 0,
    contentBytes: 0,
    createdAt: time,
    updatedAt: time
  })
  yield* records.insert(contributors, { organization: space.organization, changeRequest: id, user })
  yield* records.update(spaces, Where.eq<SpaceRow, "id">("id", space.id), {}, countsOf(null, "open"))
  return id
})
