/** The background job that performs operations of Git synchronization. */

import { Access, CurrentUser, Locks, SystemGrant } from "@lectern/access"
import { GitPacks, ImportLimits, ImportReader } from "@lectern/formats"
import {
  Encryption,
  Fetcher,
  Ids,
  type JobFailed,
  type JobHandler,
  Jobs,
  makeLinkBase,
  now,
  Records,
  type StorageUnavailable,
  TransactionEvents,
  Where
} from "@lectern/kernel"
import { type GitSyncRow, gitSyncs } from "@lectern/kernel/tables"
import { Context, Effect, Layer } from "effect"
import { ContentStore } from "../content/ContentStore.ts"
import { Outlines } from "../content/Outlines.ts"
import { exportBranch } from "./exportBranch.ts"
import { type GitOperation, gitSyncJob, startNext } from "./gitQueue.ts"
import { type GitServices, type OperationError, type Round, updateOperation } from "./gitRound.ts"
import { GitFailed, remoteOf, requireGitSync } from "./gitSyncRows.ts"
import { importBranch } from "./importBranch.ts"
import { settlePush } from "./pushedCommits.ts"

/** The number of times that an operation starts over because the space or the branch has changed in the meantime. */
const maximumRounds = 5

const makeRounds = Effect.gen(function* () {
  const access = yield* Access
  const encryption = yield* Encryption
  const { lockedTransaction } = yield* Records
  const { records } = yield* SystemGrant.make("Performs Git synchronization in background jobs.")

  const services: GitServices = {
    access,
    store: yield* ContentStore,
    events: yield* TransactionEvents,
    fetch: yield* Fetcher,
    limits: yield* ImportLimits,
    ids: yield* Ids,
    linkBase: yield* makeLinkBase,
    outlines: yield* Outlines,
    read: yield* ImportReader,
    processPack: yield* GitPacks,
    records,
    lockedTransaction
  }

  /** Performs a round of an operation. Returns whether it is complete; otherwise it starts over. */
  const performRound = Effect.fnUntraced(function* (
    operation: GitOperation
  ): Effect.fn.Return<boolean, OperationError, CurrentUser> {
    const row = yield* requireGitSync(records, operation.space)
    // The operation was completed by another worker, or its synchronization was replaced.
    if (row.operation !== operation.id || row.state !== "running") return true
    if (row.pushRevision !== null) {
      // The outcome of an earlier push comes first, also if the caller has lost their access.
      const isPushed = yield* settlePush(services, { row, remote: yield* remoteOf(encryption, row) })
      return isPushed && row.pushOperation === operation.id
    }
    const { space } = yield* access.space(operation.space, "configure")
    const round: Round = { operation, row, space, remote: yield* remoteOf(encryption, row) }
    return yield* operation.direction === "import"
      ? importBranch(services, round)
      : exportBranch(services, round)
  })

  const perform = Effect.fnUntraced(function* (
    operation: GitOperation
  ): Effect.fn.Return<void, OperationError, CurrentUser> {
    for (let rounds = 0; rounds < maximumRounds; rounds++) {
      if (yield* performRound(operation)) return
    }
    return yield* new GitFailed({
      message: "The branch or the space changed repeatedly during the operation. Start it again."
    })
  })

  const fail = Effect.fnUntraced(function* (operation: GitOperation, error: string) {
    yield* updateOperation(services, operation, { state: "failure", error, completedAt: yield* now })
  })

  return { records, services, perform, fail }
})

const makeGitProcessing = Effect.gen(function* () {
  const jobs = yield* Jobs
  const { records, perform, services, fail } = yield* makeRounds

  const run = Effect.fnUntraced(function* (
    operation: GitOperation
  ): Effect.fn.Return<void, JobFailed | StorageUnavailable> {
    const row = yield* records.get(gitSyncs, { space: operation.space })
    if (row?.operation !== operation.id || row.state !== "running") return
    yield* perform(operation).pipe(
      CurrentUser.provide(row.user),
      Effect.flatMap(() =>
        Effect.flatMap(now, (completedAt) =>
          updateOperation(services, operation, { state: "success", error: null, completedAt })
        )
      ),
      Effect.asVoid,
      // The last error of a job that is retried is that of the operation, if it is given up.
      Effect.tapErrorTag("JobFailed", ({ message }) =>
        updateOperation(services, operation, { error: message })
      ),
      Effect.catchIf(
        (error) => error._tag !== "StorageUnavailable" && error._tag !== "JobFailed",
        (error) => fail(operation, error.message)
      )
    )
  })

  /** Ends an operation whose job has failed too often, and starts the next one. */
  const giveUp = Effect.fnUntraced(function* (
    operation: GitOperation
  ): Effect.fn.Return<void, StorageUnavailable> {
    const { space, id } = operation
    const row = yield* records.get(gitSyncs, { space })
    if (row?.operation !== id) return
    const time = yield* now
    if (row.state === "running") {
      const error =
        row.pushRevision === null
          ? `The operation failed repeatedly. ${row.error ?? "The log of the server has the errors."}`
          : `The branch may have the commit of this export. The next operation determines that; start one when the Git server responds again. ${row.error ?? ""}`.trim()
      const ended = { state: "failure", error, updatedAt: time, completedAt: time } as const
      yield* records.update(gitSyncs, Where.eq<GitSyncRow, "space">("space", space), ended)
    }
    yield* startNext(records, jobs, operation)
  })

  const handler: JobHandler = {
    kind: gitSyncJob,
    locks: (payload) => Locks.space(payload as GitOperation),
    run: (payload) => {
      const operation = payload as GitOperation
      return Effect.as(run(operation), startNext(records, jobs, operation))
    },
    onDead: (payload) => giveUp(payload as GitOperation)
  }

  return { handler }
})

/** The methods of {@link GitProcessing}. */
export interface GitProcessingService extends Effect.Success<typeof makeGitProcessing> {}

/** Performs operations of Git synchronization: its `handler` is the job handler. */
export class GitProcessing extends Context.Service<GitProcessing, GitProcessingService>()(
  "@lectern/core/GitProcessing"
) {
  static readonly layer: Layer.Layer<
    GitProcessing,
    never,
    Access | ContentStore | Encryption | TransactionEvents | Ids | Jobs | Outlines | Records
  > = Layer.effect(GitProcessing, makeGitProcessing)
}
