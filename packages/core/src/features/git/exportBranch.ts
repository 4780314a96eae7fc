/** Exports the content of a space to a branch: merges the branch first, then pushes one commit on top of it. */

import type { CurrentUser } from "@lectern/access"
import { Trees as Tree } from "@lectern/content"
import {
  fetchFolders,
  type OpenRemote,
  openRemote,
  pushCommit,
  type Unpacked,
  unpackedLimit
} from "@lectern/formats"
import { JobFailed, now, type StorageUnavailable } from "@lectern/kernel"
import { users } from "@lectern/kernel/tables"
import { Effect, Result } from "effect"
import { type FetchError, type ImportContext, mapNotReadable, urlError } from "../imports/ImportContext.ts"
import { openRepository } from "../imports/repository/archive.ts"
import type { RepositoryContent } from "../imports/repository/RepositoryContent.ts"
import { findOpenRequest } from "./commitSnapshot.ts"
import { exportFiles } from "./exportFiles.ts"
import {
  describeCommit,
  enterStage,
  type GitContext,
  type GitServices,
  makeContext,
  type OperationError,
  type Round,
  rootOf
} from "./gitRound.ts"
import { GitFailed } from "./gitSyncRows.ts"
import { importBranch } from "./importBranch.ts"
import { preparePush, recordPush, settlePush } from "./pushedCommits.ts"
import { planSnapshot } from "./snapshot.ts"

/** Fails if the reference is not a branch, or if changes of the repository wait for a decision. */
const requireExportable = Effect.fnUntraced(function* (
  { records }: GitServices,
  { operation, row }: Round
): Effect.fn.Return<void, GitFailed | StorageUnavailable> {
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
})

/** Fails if a branch that was never merged with the content of the space has files in the folder of the documentation. */
const requireEmpty = Effect.fnUntraced(function* (
  { processPack }: GitContext,
  { row: { folder, ref } }: Round,
  bytes: Uint8Array,
  commit: string
): Effect.fn.Return<void, FetchError | GitFailed> {
  const { files, skipped } = yield* mapNotReadable(
    processPack("gitFiles", { bytes, commit, folder: "", omitted: "all" })
  )
  const above = folder === "" ? "" : `${folder}/`
  if (![...files, ...skipped].some(({ path }) => path.startsWith(above))) return
  const place = folder === "" ? ref : `The folder ${folder} of ${ref}`
  return yield* new GitFailed({
    message: `${place} has files that were never imported, which the export could overwrite. Import the branch first, which merges both sides, or export with \`force\`.`
  })
})

/** Opens the files of an export as a repository, so that the content of the commit is read like an import. */
const openExported = (
  context: ImportContext,
  files: ReadonlyArray<Unpacked>
): Effect.Effect<RepositoryContent, FetchError> => {
  const byPath = new Map(files.map(({ path, bytes }) => [path, bytes]))
  return openRepository(
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
}

/** Creates the commit of the content, on top of the branch. Its hash is undefined if nothing changes. */
const createCommit = Effect.fnUntraced(function* (
  services: GitServices,
  context: GitContext,
  { operation, row, space }: Round,
  branch: { readonly pack: Uint8Array; readonly parent: string | undefined }
) {
  const { store, records } = services
  const headRoot = yield* rootOf(services, space.revision)
  const tree = Tree.readTree(store.maps, headRoot)
  if (!(yield* tree.pages).some(({ page }) => page.type === "document")) {
    return yield* new GitFailed({
      message: "The space has no page with content, which a repository needs. Add a page, then export again."
    })
  }
  const { files, removed } = yield* exportFiles(
    { store, read: context.read, mark: context.mark },
    tree,
    row.revision === null ? undefined : Tree.readTree(store.maps, yield* rootOf(services, row.revision)),
    unpackedLimit(services.limits)
  )
  const user = yield* records.get(users, { id: row.user })
  const { commit, bytes } = yield* mapNotReadable(
    context.processPack("gitCommit", {
      bytes: branch.pack,
      parent: branch.parent,
      folder: row.folder,
      files,
      removed,
      message: operation.message,
      author: { name: user?.displayName ?? "", email: user?.email ?? "" },
      committer: { name: "Lectern", email: `lectern@${new URL(yield* services.linkBase).hostname}` },
      time: Math.floor(Date.parse(yield* now) / 1000)
    })
  )
  return { files, headRoot, commit, bytes }
})

/** Pushes a commit whose revision is written, and records it. Returns whether it is on the branch. */
const push = Effect.fnUntraced(function* (
  services: GitServices,
  round: Round,
  receiving: OpenRemote,
  move: { readonly before: string | undefined; readonly after: string; readonly pack: Uint8Array }
): Effect.fn.Return<boolean, OperationError> {
  const answer = yield* Effect.result(
    pushCommit(services.fetch, receiving, { branch: round.row.ref, ...move })
  )
  if (Result.isSuccess(answer) && answer.success === undefined) {
    yield* recordPush(services, round)
    return true
  }
  // Without a confirmation, only the branch shows whether it has the commit.
  if (yield* settlePush(services, round)) return true
  const again = yield* openRemote(services.fetch, round.remote, "git-upload-pack")
  if (again.advertisement.references.get(round.row.ref) !== move.before) return false
  // A request without a response can still arrive, so the operation is retried later instead of reporting a failure.
  if (Result.isFailure(answer)) return yield* new JobFailed({ message: answer.failure.message })
  return yield* new GitFailed({ message: `The Git server rejected the commit: ${answer.success}.` })
})

/**
 * Exports the content as a commit. Returns whether the operation is complete; otherwise the branch was merged first, or the
 * state of the synchronization has changed in the meantime.
 */
export const exportBranch = Effect.fnUntraced(function* (
  services: GitServices,
  round: Round
): Effect.fn.Return<boolean, OperationError, CurrentUser> {
  const { operation, row, remote } = round
  yield* requireExportable(services, round)
  const { context, plan } = yield* makeContext(services)
  const fetched = yield* openRemote(services.fetch, remote, "git-upload-pack")
  const parent = fetched.advertisement.references.get(row.ref)
  if (parent !== undefined && row.commit !== null && parent !== row.commit && !operation.force) {
    yield* importBranch(services, round)
    return false
  }
  const pack =
    parent === undefined
      ? new Uint8Array()
      : yield* fetchFolders(services.fetch, fetched, parent, services.limits)
  if (parent !== undefined && row.commit === null && !operation.force) {
    yield* requireEmpty(context, round, pack, parent)
  }
  yield* enterStage(services, operation, "content_process")
  const { files, headRoot, commit, bytes } = yield* createCommit(services, context, round, { pack, parent })
  const oid = commit ?? parent!
  if (oid === row.commit) return true
  const snapshot = yield* planSnapshot(plan, yield* openExported(context, files), {
    from: remote.url,
    base: headRoot,
    head: headRoot,
    time: yield* now
  })
  const receiving =
    commit === undefined ? undefined : yield* openRemote(services.fetch, remote, "git-receive-pack")
  if (receiving !== undefined && receiving.advertisement.references.get(row.ref) !== parent) return false
  yield* enterStage(services, operation, "finalize")
  const git = describeCommit(row, oid, operation.message, true)
  const prepared = yield* preparePush(services, round, { snapshot, git, headRoot })
  if (prepared === undefined) return false
  const next = { ...round, row: prepared }
  if (receiving !== undefined) {
    return yield* push(services, next, receiving, { before: parent, after: oid, pack: bytes })
  }
  // The branch has the content already.
  yield* recordPush(services, next)
  return true
})
