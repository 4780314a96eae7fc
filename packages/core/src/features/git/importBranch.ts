/** Imports a branch: fetches its commit, and merges the changes since the commit before into the content of the space. */

import { type CurrentUser, Locks } from "@lectern/access"
import { newRevision, Trees } from "@lectern/content"
import { fetchSnapshot, openRemote } from "@lectern/formats"
import { now, Where } from "@lectern/kernel"
import { type GitSyncRow, gitSyncs, revisions } from "@lectern/kernel/tables"
import type { GitCommit } from "@lectern/model/content"
import { Effect } from "effect"
import { openGitFiles } from "../imports/git/fetchGitRepository.ts"
import type { RepositoryContent } from "../imports/repository/RepositoryContent.ts"
import { commitSnapshot, findOpenRequest } from "./commitSnapshot.ts"
import {
  countRevision,
  describeCommit,
  enterStage,
  findUnchanged,
  type GitServices,
  makeContext,
  type OperationError,
  type Round,
  rootOf
} from "./gitRound.ts"
import { GitFailed } from "./gitSyncRows.ts"
import { planSnapshot } from "./snapshot.ts"

/** Writes the content of a commit. Returns whether the synchronization was still in the state of the round. */
const commitContent = Effect.fnUntraced(function* (
  services: GitServices,
  round: Round,
  content: RepositoryContent,
  git: GitCommit
): Effect.fn.Return<boolean, OperationError, CurrentUser> {
  const { operation, row, remote, space } = round
  const { access, records } = services
  const { plan } = yield* makeContext(services)
  const synchronized = yield* rootOf(services, row.revision)
  const current = yield* rootOf(services, space.revision)
  // A forced import replaces the content of the space, and retains the data that files do not contain.
  const [base, head] = operation.force ? [current, synchronized] : [synchronized, current]
  const snapshot = yield* planSnapshot(plan, content, { from: remote.url, base, head, time: yield* now })
  yield* enterStage(services, operation, "finalize")
  return yield* services.lockedTransaction(
    Locks.space({ space: space.id }),
    Effect.gen(function* () {
      // The caller may have lost their access in the meantime.
      const { space: latest } = yield* access.space(space.id, "configure")
      if ((yield* findUnchanged(services, round)) === undefined) return false
      if (operation.force && latest.revision !== space.revision) return false
      const written = yield* commitSnapshot(services, latest, row, {
        snapshot,
        git,
        user: row.user,
        time: yield* now,
        base,
        isForced: operation.force,
        request: operation.force ? undefined : yield* findOpenRequest(records, row)
      })
      yield* countRevision(services, latest, {
        before: base,
        after: yield* rootOf(services, written.revision),
        other: yield* rootOf(services, latest.revision)
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
  services: GitServices,
  round: Round,
  content: RepositoryContent,
  git: GitCommit
): Effect.fn.Return<boolean, OperationError, CurrentUser> {
  const { row, remote, space } = round
  const { access, ids, records, outlines } = services
  const { plan } = yield* makeContext(services)
  const base = yield* rootOf(services, row.revision)
  const head = yield* rootOf(services, space.revision)
  const time = yield* now
  const snapshot = yield* planSnapshot(plan, content, { from: remote.url, base, head, time })
  return yield* services.lockedTransaction(
    Locks.space({ space: space.id }),
    Effect.gen(function* () {
      // The space may have moved to another organization in the meantime.
      const { space: current } = yield* access.space(space.id, "configure")
      if ((yield* findUnchanged(services, round)) === undefined) return false
      const revision = yield* newRevision(ids, {
        organization: current.organization,
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
      yield* countRevision(services, current, { before: base, after: revision.root, other: head })
      yield* outlines.write([...snapshot.outlines.keys()], snapshot.outlines)
      return true
    })
  )
})

/**
 * Imports the branch. Returns whether the operation is complete; otherwise the state of the synchronization has changed in the
 * meantime.
 */
export const importBranch = Effect.fnUntraced(function* (
  services: GitServices,
  round: Round
): Effect.fn.Return<boolean, OperationError, CurrentUser> {
  const { operation, row, remote } = round
  const opened = yield* openRemote(services.fetch, remote, "git-upload-pack")
  const oid = opened.advertisement.references.get(row.ref)
  if (oid === undefined) {
    return yield* new GitFailed({
      message: `The repository has no ${row.ref}. An export creates the branch.`
    })
  }
  if (oid === row.commit && !operation.force && !operation.standalone) return true
  const { context } = yield* makeContext(services)
  const synchronized = Trees.readTree(services.store.maps, yield* rootOf(services, row.revision))
  const retained = (yield* synchronized.files()).flatMap(([, { git }]) => git?.path ?? [])
  const request = {
    commit: oid,
    reference: row.ref,
    folder: row.folder,
    known: row.commit ?? undefined,
    retained
  }
  const { fetch, limits, processPack } = services
  const snapshot = yield* fetchSnapshot(fetch, opened, request, limits, processPack)
  yield* enterStage(services, operation, "content_process")
  const content = yield* openGitFiles(context, snapshot, { folder: row.folder, url: remote.url })
  const git = describeCommit(row, oid, content.git?.message ?? "", false)
  return yield* operation.standalone
    ? commitStandalone(services, round, content, git)
    : commitContent(services, round, content, git)
})
