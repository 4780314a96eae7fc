/** The state of an operation of Git synchronization, and the services that perform it. */

import { type Access, type GrantedRecords, Locks } from "@lectern/access"
import { emptyRoot } from "@lectern/content"
import type { GitRemote, ImportLimitsSettings, ProcessGitPack, ReadImport } from "@lectern/formats"
import {
  type BlobHash,
  type Fetch,
  type JobFailed,
  now,
  type Records,
  type StorageUnavailable,
  Where
} from "@lectern/kernel"
import { type GitSyncRow, gitSyncs, revisions, type SpaceRow, spaces } from "@lectern/kernel/tables"
import type { GitCommit, RevisionId } from "@lectern/model/content"
import type { Conflict, Forbidden, Gone, NotFound } from "@lectern/model/errors"
import type { GitOperationStage } from "@lectern/model/git"
import { Effect } from "effect"
import type { CountedRoots } from "../content/contentBytes.ts"
import type { FetchError, ImportContext } from "../imports/ImportContext.ts"
import type { PlanServices } from "../imports/repository/planRepository.ts"
import type { CommitServices } from "./commitSnapshot.ts"
import type { GitOperation } from "./gitQueue.ts"
import { GitFailed, requireGitSync } from "./gitSyncRows.ts"

/** The errors of an operation. `JobFailed` retries it; the others end it, and nothing has been pushed. */
export type OperationError = FetchError | GitFailed | NotFound | Forbidden | Conflict | Gone | JobFailed

/** The services that perform operations. */
export interface GitServices extends CommitServices {
  readonly access: Access["Service"]
  readonly fetch: Fetch
  readonly limits: ImportLimitsSettings
  readonly linkBase: Effect.Effect<string, StorageUnavailable>
  /** Reads the files of the repository; undefined if the host cannot. */
  readonly read: ReadImport | undefined
  /** Processes packfiles; undefined if the host cannot. */
  readonly processPack: ProcessGitPack | undefined
  readonly records: GrantedRecords
  readonly lockedTransaction: Records["Service"]["lockedTransaction"]
}

/** The state that a round of an operation starts from. An operation starts over if it has changed before it is written. */
export interface Round {
  readonly operation: GitOperation
  readonly row: GitSyncRow
  readonly space: SpaceRow
  readonly remote: GitRemote
}

const stateColumns = [
  "url",
  "ref",
  "folder",
  "revision",
  "commit",
  "changeRequest",
  "operation",
  "pushRevision"
] as const

/** Loads a synchronization in the current transaction. Returns undefined if it is not in the state of the round anymore. */
export const findUnchanged = Effect.fnUntraced(function* (
  { records }: Pick<GitServices, "records">,
  { row }: Pick<Round, "row">
): Effect.fn.Return<GitSyncRow | undefined, NotFound | StorageUnavailable> {
  const latest = yield* requireGitSync(records, row.space)
  return stateColumns.every((column) => latest[column] === row[column]) ? latest : undefined
})

/** Updates the state of an operation, unless it has ended: another worker can have completed it. */
export const updateOperation = (
  { records, lockedTransaction }: Pick<GitServices, "records" | "lockedTransaction">,
  { space, id }: GitOperation,
  set: Partial<GitSyncRow>
): Effect.Effect<number, StorageUnavailable> =>
  Effect.flatMap(now, (updatedAt) =>
    lockedTransaction(
      Locks.space({ space }),
      records.update(
        gitSyncs,
        Where.and<GitSyncRow>(
          Where.eq("space", space),
          Where.eq("operation", id),
          Where.eq("state", "running")
        ),
        { ...set, updatedAt }
      )
    )
  )

/** Records that an operation enters a stage. */
export const enterStage = (
  services: Pick<GitServices, "records" | "lockedTransaction">,
  operation: GitOperation,
  stage: GitOperationStage
): Effect.Effect<number, StorageUnavailable> => updateOperation(services, operation, { stage })

/** Returns the root of the content of a revision; that of empty content for `null`. */
export const rootOf = Effect.fnUntraced(function* (
  { records }: Pick<GitServices, "records">,
  revision: RevisionId | null
): Effect.fn.Return<BlobHash, StorageUnavailable> {
  const row = revision === null ? undefined : yield* records.get(revisions, { id: revision })
  return row?.root ?? emptyRoot
})

/** Adds the bytes of a revision to its space. Fails with `Forbidden` if that exceeds the quota of the organization. */
export const countRevision = Effect.fnUntraced(function* (
  { store, records }: Pick<GitServices, "store" | "records">,
  { id, organization }: SpaceRow,
  roots: CountedRoots
): Effect.fn.Return<void, Forbidden | StorageUnavailable> {
  const contentBytes = yield* store.addedBytes(records, organization, roots)
  yield* records.update(spaces, Where.eq<SpaceRow, "id">("id", id), {}, { contentBytes })
})

/** The dependencies of reading and writing a repository. */
export interface GitContext extends ImportContext {
  readonly processPack: ProcessGitPack
}

/** Creates the dependencies of reading a repository. Fails if the workspace has no reader. */
export const makeContext = Effect.fnUntraced(function* ({
  fetch,
  ids,
  limits,
  outlines,
  processPack,
  read,
  store
}: GitServices): Effect.fn.Return<{ readonly context: GitContext; readonly plan: PlanServices }, GitFailed> {
  if (read === undefined || processPack === undefined) {
    return yield* new GitFailed({
      message: "This server cannot read Git repositories: the package @lectern/converters is not installed."
    })
  }
  const mark = yield* ids.next
  const context: GitContext = { fetch, read, processPack, limits, mark, run: undefined }
  return { context, plan: { ids, store, outlines, read, mark, journal: undefined } }
})

/** Returns the commit as revisions describe it. */
export const describeCommit = (
  { commitUrl, ref }: GitSyncRow,
  oid: string,
  message: string,
  isOurs: boolean
): GitCommit => {
  const url = commitUrl === null ? undefined : `${commitUrl.replace(/\/$/, "")}/${oid}`
  return {
    oid,
    message: message.slice(0, 10_000),
    createdByService: isOurs,
    ref,
    ...(url === undefined || url.length > 2048 ? {} : { url })
  }
}
