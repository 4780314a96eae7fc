/** The operations of a space, which run one after the other in the order of their requests, also on several servers. */

import type { GrantedRecords } from "@lectern/access"
import { type Jobs, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type GitSyncRow,
  gitSyncs,
  type QueuedGitOperation,
  type SpaceRow,
  spaces
} from "@lectern/kernel/tables"
import { Conflict } from "@lectern/model/errors"
import type { SpaceId } from "@lectern/model/spaces"
import { Effect } from "effect"

/** The kind of the jobs that perform operations. */
export const gitSyncJob = "gitSync"

/** The maximum number of operations of a space that have not ended. */
const maximumQueueLength = 20

/** The parameters of an operation, which its job has. */
export interface GitOperation {
  readonly space: SpaceId
  /** The id of the operation. */
  readonly id: string
  readonly direction: "import" | "export"
  readonly force: boolean
  readonly standalone: boolean
  /** The message of the commit of an export. */
  readonly message: string
}

type QueueJobs = Pick<Jobs["Service"], "enqueueOnce">

/** Enqueues the job of an operation, unless it is enqueued. So at most one worker performs an operation. */
const enqueueJob = (jobs: QueueJobs, space: SpaceId, entry: QueuedGitOperation) => {
  const { id, direction, force, standalone, message } = entry
  const operation: GitOperation = { space, id, direction, force, standalone, message }
  return jobs.enqueueOnce(`${gitSyncJob}:${id}`, gitSyncJob, operation)
}

/** A space, and the organization that it belongs to. */
type OwnedSpace = Pick<SpaceRow, "id" | "organization">

/** Starts an operation, with its connection. Another URL, branch or folder starts a new synchronization. */
const start = Effect.fnUntraced(function* (
  records: GrantedRecords,
  jobs: QueueJobs,
  { id: space, organization }: OwnedSpace,
  before: GitSyncRow | undefined,
  queue: readonly [QueuedGitOperation, ...ReadonlyArray<QueuedGitOperation>],
  timestamp: string | null
): Effect.fn.Return<void, StorageUnavailable> {
  const [entry] = queue
  const isSame = before?.url === entry.url && before.ref === entry.ref && before.folder === entry.folder
  const columns: Omit<GitSyncRow, "organization" | "space"> = {
    user: entry.user,
    url: entry.url,
    credentials: entry.credentials,
    ref: entry.ref,
    folder: entry.folder,
    commitUrl: entry.commitUrl,
    revision: isSame ? before.revision : null,
    commit: isSame ? before.commit : null,
    changeRequest: isSame ? before.changeRequest : null,
    timestamp,
    operation: entry.id,
    direction: entry.direction,
    state: "running",
    stage: "repo_fetch",
    error: null,
    startedAt: entry.requestedAt,
    updatedAt: entry.requestedAt,
    completedAt: null,
    queue,
    previous:
      before === undefined
        ? null
        : {
            direction: before.direction,
            state: before.state,
            error: before.error,
            startedAt: before.startedAt,
            completedAt: before.completedAt
          },
    pushOperation: isSame ? before.pushOperation : null,
    pushRevision: isSame ? before.pushRevision : null,
    pushBase: isSame ? before.pushBase : null
  }
  if (before === undefined) yield* records.insert(gitSyncs, { organization, space, ...columns })
  else yield* records.update(gitSyncs, Where.eq<GitSyncRow, "space">("space", space), columns)
  const { repository } = entry
  if (repository !== undefined) {
    yield* records.update(spaces, Where.eq<SpaceRow, "id">("id", space), { gitSync: repository })
  }
  yield* enqueueJob(jobs, space, entry)
})

/** Fails with `Conflict` if too many operations of a space have not ended. */
export const requireRoom = (row: GitSyncRow | undefined): Effect.Effect<void, Conflict> =>
  (row?.queue ?? []).length < maximumQueueLength
    ? Effect.void
    : Effect.fail(
        new Conflict({
          reason: "LimitReached",
          message: `${maximumQueueLength} Git operations of the space have not ended. Start another one when one of them has ended.`
        })
      )

/** Adds an operation to the queue of its space, in the current transaction, and starts it if no other one runs. */
export const addOperation = Effect.fnUntraced(function* (
  records: GrantedRecords,
  jobs: QueueJobs,
  owned: OwnedSpace,
  before: GitSyncRow | undefined,
  entry: QueuedGitOperation,
  timestamp: string | null
): Effect.fn.Return<void, StorageUnavailable> {
  const space = owned.id
  const [running, ...waiting] = before?.queue ?? []
  if (running === undefined) return yield* start(records, jobs, owned, before, [entry], timestamp)
  yield* records.update(gitSyncs, Where.eq<GitSyncRow, "space">("space", space), {
    queue: [running, ...waiting, entry],
    timestamp
  })
  // The jobs of a workspace are not part of a copy of the space.
  yield* enqueueJob(jobs, space, running)
})

/** Whether a waiting operation will import the changes that the branch has now. */
export const willImport = ({ queue }: GitSyncRow): boolean =>
  (queue ?? [])
    .slice(1)
    .some(({ direction, force, standalone }) => (direction === "import" ? !standalone : !force))

/** Removes an operation that has ended from the queue, in the current transaction, and starts the next one. */
export const startNext = Effect.fnUntraced(function* (
  records: GrantedRecords,
  jobs: QueueJobs,
  { space, id }: Pick<GitOperation, "space" | "id">
): Effect.fn.Return<void, StorageUnavailable> {
  const row = yield* records.first(gitSyncs, { where: Where.eq<GitSyncRow, "space">("space", space) })
  if (row === undefined || row.operation !== id) return
  const [next, ...others] = (row.queue ?? []).filter((entry) => entry.id !== id)
  if (next !== undefined) {
    const owned = { id: space, organization: row.organization }
    return yield* start(records, jobs, owned, row, [next, ...others], row.timestamp)
  }
  yield* records.update(gitSyncs, Where.eq<GitSyncRow, "space">("space", space), { queue: null })
})
