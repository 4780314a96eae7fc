/** The background job that performs operations of Git synchronization. */

import type { GitCommit } from "@lectern/model/content"
import type { Conflict, Forbidden, Gone, NotFound } from "@lectern/model/errors"
import type { GitOperationStage } from "@lectern/model/git"
import { Context, Effect, Layer, Option } from "effect"
import { Access } from "../../access/Access.ts"
import { CurrentUser } from "../../access/CurrentUser.ts"
import { SystemGrant } from "../../access/grants/SystemGrant.ts"
import { Locks } from "../../access/operations/Locks.ts"
import { TransactionEvents } from "../../kernel/events/TransactionEvents.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import type { JobHandler } from "../../kernel/jobs/Jobs.ts"
import { Fetcher } from "../../kernel/network/Fetcher.ts"
import { makeLinkBase } from "../../kernel/network/PublicUrl.ts"
import { Encryption } from "../../kernel/security/Encryption.ts"
import { type BlobHash, Records, type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import { now } from "../../kernel/time.ts"
import { revisions } from "../../tables/content/revisionTable.ts"
import { type GitSyncRow, gitSyncs } from "../../tables/git/gitSyncTable.ts"
import { type SpaceRow, spaces } from "../../tables/spaces/spaceTable.ts"
import { users } from "../../tables/users/userTable.ts"
import { ContentStore } from "../content/ContentStore.ts"
import type { CountedRoots } from "../content/contentBytes.ts"
import { emptyRoot } from "../content/MerkleMap.ts"
import { newRevision } from "../content/newRevision.ts"
import { Outlines } from "../content/Outlines.ts"
import * as Tree from "../content/Tree.ts"
import { ImportReader } from "../conversion/ImportReader.ts"
import { openRepository } from "../imports/archive.ts"
import { openGitFiles } from "../imports/git/fetchGitRepository.ts"
import { fetchCommit, type GitRemote, openRemote, pushCommit } from "../imports/git/GitRemote.ts"
import { type FetchError, type ImportContext, mapNotReadable, urlError } from "../imports/ImportContext.ts"
import { ImportLimits } from "../imports/ImportLimits.ts"
import type { RepositoryContent } from "../imports/repository/RepositoryContent.ts"
import { commitSnapshot, findOpenRequest } from "./commitSnapshot.ts"
import { exportFiles } from "./exportFiles.ts"
import { GitFailed, type GitOperation, gitSyncJob, remoteOf, requireGitSync } from "./gitSyncRows.ts"
import { planSnapshot } from "./snapshot.ts"

type OperationError = FetchError | GitFailed | NotFound | Forbidden | Conflict | Gone

/** The number of times that an operation starts over because the space or the branch has changed in the meantime. */
const maximumRounds = 5

/** The state that the rounds of an operation start from. */
interface Round {
  readonly operation: GitOperation
  readonly row: GitSyncRow
  readonly space: SpaceRow
  readonly remote: GitRemote
}

/** Whether a synchronization has the same connection and the same commit as before. */
const isSameState = (one: GitSyncRow, other: GitSyncRow): boolean =>
  (["url", "ref", "folder", "revision", "commit", "changeRequest"] as const).every(
    (column) => one[column] === other[column]
  )

const makeGitProcessing = Effect.gen(function* () {
  const access = yield* Access
  const store = yield* ContentStore
  const encryption = yield* Encryption
  const events = yield* TransactionEvents
  const fetch = yield* Fetcher
  const limits = yield* ImportLimits
  const ids = yield* Ids
  const linkBase = yield* makeLinkBase
  const outlines = yield* Outlines
  const read = yield* ImportReader
  const { lockedTransaction } = yield* Records
  const { records } = yield* SystemGrant.make("Performs Git synchronization in background jobs.")
  const services = { store, ids, events, outlines, records }

  /** Updates the state of an operation, unless another one has been started. */
  const update = ({ space, id }: GitOperation, set: Partial<GitSyncRow>) =>
    Effect.flatMap(now, (updatedAt) =>
      lockedTransaction(
        Locks.space({ space }),
        records.update(gitSyncs, Where.and<GitSyncRow>(Where.eq("space", space), Where.eq("operation", id)), {
          ...set,
          updatedAt
        })
      )
    )

  const enter = (operation: GitOperation, stage: GitOperationStage) => update(operation, { stage })

  const rootOf = Effect.fnUntraced(function* (revision: GitSyncRow["revision"]) {
    const row = revision === null ? undefined : yield* records.get(revisions, { id: revision })
    return row?.root ?? emptyRoot
  })

  /** Adds the bytes of a revision to its space. Fails with `Forbidden` if that exceeds the quota of the organization. */
  const countRevision = Effect.fnUntraced(function* ({ id, organization }: SpaceRow, roots: CountedRoots) {
    const contentBytes = yield* store.addedBytes(records, organization, roots)
    yield* records.update(spaces, Where.eq<SpaceRow, "id">("id", id), {}, { contentBytes })
  })

  const makeContext = Effect.gen(function* () {
    if (read === undefined) {
      return yield* new GitFailed({
        message: "This server cannot read Git repositories: the package @lectern/converters is not installed."
      })
    }
    const context: ImportContext = {
      fetch,
      read,
      limits,
      mark: yield* ids.next,
      run: undefined
    }
    return { context, plan: { ids, store, outlines, read, mark: context.mark, journal: undefined } }
  })

  /** Returns the commit as revisions describe it. */
  const describeCommit = ({ commitUrl, ref }: GitSyncRow, oid: string, message: string, isOurs: boolean) => {
    const url = commitUrl === null ? undefined : `${commitUrl.replace(/\/$/, "")}/${oid}`
    return {
      oid,
      message: message.slice(0, 10_000),
      createdByService: isOurs,
      ref,
      ...(url === undefined || url.length > 2048 ? {} : { url })
    } satisfies GitCommit
  }

  /**
   * Writes the content of a commit, if the synchronization is still in the state of the round. Returns whether it is.
   * `headRoot` is the content that an export has written; undefined for an import.
   */
  const commitContent = Effect.fnUntraced(function* (
    { operation, row, remote, space }: Round,
    content: RepositoryContent,
    git: GitCommit,
    headRoot: BlobHash | undefined
  ): Effect.fn.Return<boolean, OperationError, CurrentUser> {
    const { plan } = yield* makeContext
    const base = headRoot ?? (yield* rootOf(row.revision))
    const snapshot = yield* planSnapshot(plan, content, {
      from: remote.url,
      base,
      head: headRoot ?? (yield* rootOf(space.revision)),
      time: yield* now
    })
    yield* enter(operation, "finalize")
    return yield* lockedTransaction(
      Locks.space({ space: space.id }),
      Effect.gen(function* () {
        // The caller may have lost their access in the meantime.
        const { space: current } = yield* access.space(space.id, "configure")
        const latest = yield* requireGitSync(records, space.id)
        if (!isSameState(latest, row)) return false
        const time = yield* now
        const written = yield* commitSnapshot(services, current, row, {
          snapshot,
          git,
          user: row.user,
          time,
          base,
          isForced: operation.force && headRoot === undefined,
          request:
            operation.force || headRoot !== undefined ? undefined : yield* findOpenRequest(records, row)
        })
        yield* countRevision(current, {
          before: base,
          after: yield* rootOf(written.revision),
          other: headRoot ?? (yield* rootOf(current.revision))
        })
        yield* records.update(gitSyncs, Where.eq<GitSyncRow, "space">("space", space.id), {
          ...written,
          commit: git.oid
        })
        return true
      })
    )
  })

  /** Creates a revision of a commit without changing the content of the space. */
  const commitStandalone = Effect.fnUntraced(function* (
    { row, remote, space }: Round,
    content: RepositoryContent,
    git: GitCommit
  ): Effect.fn.Return<boolean, OperationError> {
    const { plan } = yield* makeContext
    const base = yield* rootOf(row.revision)
    const head = yield* rootOf(space.revision)
    const time = yield* now
    const snapshot = yield* planSnapshot(plan, content, { from: remote.url, base, head, time })
    yield* lockedTransaction(
      Locks.space({ space: space.id }),
      Effect.gen(function* () {
        const revision = yield* newRevision(ids, {
          space: space.id,
          type: "edits",
          root: yield* snapshot.write,
          parents: row.revision === null ? [] : [row.revision],
          author: row.user,
          message: git.message.slice(0, 1000),
          git,
          createdAt: time
        })
        yield* records.insert(revisions, revision)
        yield* countRevision(space, { before: base, after: revision.root, other: head })
        yield* outlines.write([...snapshot.outlines.keys()], snapshot.outlines)
      })
    )
    return true
  })

  /** Imports the branch. Returns whether the operation is complete; otherwise the state has changed in the meantime. */
  const pull = Effect.fnUntraced(function* (
    round: Round
  ): Effect.fn.Return<boolean, OperationError, CurrentUser> {
    const { operation, row, remote } = round
    const opened = yield* openRemote(fetch, remote, "git-upload-pack")
    const oid = opened.advertisement.references.get(row.ref)
    if (oid === undefined) {
      return yield* new GitFailed({
        message: `The repository has no ${row.ref}. An export creates the branch.`
      })
    }
    if (oid === row.commit && !operation.force && !operation.standalone) return true
    const { context } = yield* makeContext
    const pack = yield* fetchCommit(fetch, opened, oid)
    yield* enter(operation, "content_process")
    const content = yield* openGitFiles(context, pack, {
      commit: oid,
      folder: row.folder,
      reference: row.ref,
      url: remote.url
    })
    const git = describeCommit(row, oid, content.git?.message ?? "", false)
    return yield* operation.standalone
      ? commitStandalone(round, content, git)
      : commitContent(round, content, git, undefined)
  })

  /** Exports the content as a commit. Returns whether the operation is complete; otherwise the state has changed in the meantime. */
  const push = Effect.fnUntraced(function* (
    round: Round
  ): Effect.fn.Return<boolean, OperationError, CurrentUser> {
    const { operation, row, remote, space } = round
    if (!row.ref.startsWith("refs/heads/")) {
      return yield* new GitFailed({
        message: `${row.ref} is not a branch. Export to a reference below refs/heads/.`
      })
    }
    const request = yield* findOpenRequest(records, row)
    if (request !== undefined && !operation.force) {
      return yield* new GitFailed({
        message: `The change request #${request.number} has changes of the repository that conflict with the content. Merge or archive it, then export again.`
      })
    }
    const { context } = yield* makeContext
    const fetched = yield* openRemote(fetch, remote, "git-upload-pack")
    const parent = fetched.advertisement.references.get(row.ref)
    // Without an earlier operation, the content of the space replaces the files at its paths.
    if (parent !== undefined && row.commit !== null && parent !== row.commit && !operation.force) {
      yield* pull({ ...round, operation: { ...operation, standalone: false } })
      return false
    }
    const pack = parent === undefined ? new Uint8Array() : yield* fetchCommit(fetch, fetched, parent)
    yield* enter(operation, "content_process")
    const headRoot = yield* rootOf(space.revision)
    const { files, removed } = yield* exportFiles(
      { store, read: context.read, mark: context.mark },
      Tree.readTree(store.maps, headRoot),
      row.revision === null ? undefined : Tree.readTree(store.maps, yield* rootOf(row.revision))
    )
    const user = yield* records.get(users, { id: row.user })
    const committed = yield* mapNotReadable(
      context.read("gitCommit", {
        bytes: pack,
        parent,
        folder: row.folder,
        files,
        removed,
        message: operation.message,
        author: { name: user?.displayName ?? "", email: user?.email ?? "" },
        committer: { name: "Lectern", email: `lectern@${new URL(yield* linkBase).hostname}` },
        time: Math.floor(Date.parse(yield* now) / 1000)
      })
    )
    if (committed.commit !== undefined) {
      const receiving = yield* openRemote(fetch, remote, "git-receive-pack")
      if (receiving.advertisement.references.get(row.ref) !== parent) return false
      const rejected = yield* pushCommit(fetch, receiving, {
        branch: row.ref,
        before: parent,
        after: committed.commit,
        pack: committed.bytes
      })
      if (rejected !== undefined) {
        const again = yield* openRemote(fetch, remote, "git-upload-pack")
        if (again.advertisement.references.get(row.ref) !== parent) return false
        return yield* new GitFailed({ message: `The Git server rejected the commit: ${rejected}.` })
      }
    }
    const oid = committed.commit ?? parent!
    if (oid === row.commit) return true
    const byPath = new Map(files.map(({ path, bytes }) => [path, bytes]))
    const content = yield* openRepository(
      context,
      {
        files: files.map(({ path, bytes }) => [path, bytes.length] as const),
        skipped: [],
        // The content of a space was limited when it was written.
        transferSize: Number.POSITIVE_INFINITY,
        load: (path) => {
          const bytes = byPath.get(path)
          return bytes === undefined ? Effect.fail(urlError("has no such file")) : Effect.succeed(bytes)
        }
      },
      undefined
    )
    return yield* commitContent(round, content, describeCommit(row, oid, operation.message, true), headRoot)
  })

  const perform = Effect.fnUntraced(function* (
    operation: GitOperation
  ): Effect.fn.Return<void, OperationError, CurrentUser> {
    for (let rounds = 0; rounds < maximumRounds; rounds++) {
      const row = yield* requireGitSync(records, operation.space)
      const { space } = yield* access.space(operation.space, "configure")
      const remote = yield* remoteOf(encryption, row)
      const round = { operation, row, space, remote }
      if (yield* operation.direction === "import" ? pull(round) : push(round)) return
    }
    return yield* new GitFailed({
      message: "The branch or the space changed repeatedly during the operation. Start it again."
    })
  })

  const fail = Effect.fnUntraced(function* (operation: GitOperation, error: string) {
    yield* update(operation, { state: "failure", error, completedAt: yield* now })
  })

  const run = Effect.fnUntraced(function* (
    operation: GitOperation
  ): Effect.fn.Return<void, StorageUnavailable> {
    const row = Option.getOrUndefined(yield* Effect.option(requireGitSync(records, operation.space)))
    if (row === undefined) return
    const performing = perform(operation).pipe(
      CurrentUser.provide(row.user),
      Effect.flatMap(() =>
        Effect.flatMap(now, (completedAt) => update(operation, { state: "success", completedAt }))
      ),
      Effect.asVoid,
      Effect.catchIf(
        (error) => error._tag !== "StorageUnavailable",
        (error) => fail(operation, error.message)
      )
    )
    yield* performing as Effect.Effect<void, StorageUnavailable>
  })

  const handler: JobHandler = {
    kind: gitSyncJob,
    locks: (payload) => Locks.space(payload as GitOperation),
    run: (payload) => Effect.as(run(payload as GitOperation), Effect.void as Effect.Effect<void>),
    onDead: (payload) => {
      const { space, id } = payload as GitOperation
      return Effect.flatMap(now, (time) =>
        Effect.asVoid(
          records.update(
            gitSyncs,
            Where.and<GitSyncRow>(Where.eq("space", space), Where.eq("operation", id)),
            {
              state: "failure",
              error: "The operation failed repeatedly; the log of the server has the errors.",
              updatedAt: time,
              completedAt: time
            }
          )
        )
      )
    }
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
    Access | ContentStore | Encryption | TransactionEvents | Ids | Outlines | Records
  > = Layer.effect(GitProcessing, makeGitProcessing)
}
