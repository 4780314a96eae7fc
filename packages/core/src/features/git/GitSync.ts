/** Operations that synchronize a space with a branch of a Git repository. */

import {
  addAuditDetails,
  type Command,
  type GrantedRecords,
  Locks,
  type Operation,
  Operations,
  type Query,
  type TargetError
} from "@lectern/access"
import { Encryption, Ids, Jobs, now, type StorageUnavailable } from "@lectern/kernel"
import { gitSyncs, type QueuedGitOperation, type SpaceRow, spaces } from "@lectern/kernel/tables"
import {
  ExportToGitRepository,
  type GitDirection,
  type GitInfo,
  ImportGitRepository
} from "@lectern/model/git"
import { spacePermissions } from "@lectern/model/roles"
import { SpaceId } from "@lectern/model/spaces"
import type { UserId } from "@lectern/model/users"
import { Context, Effect, Layer, Schema } from "effect"
import { GitWebhooks } from "./GitWebhooks.ts"
import { addOperation, requireRoom, willImport } from "./gitQueue.ts"
import { makeOperation, presentGitInfo, requireGitSync } from "./gitSyncRows.ts"

/** Operations of Git synchronization, on behalf of the `CurrentUser`. */
export interface GitSyncOperations {
  /**
   * Starts an import of a branch into a space, in the background, when the earlier operations of the space have ended. Changes of the branch since the latest operation are merged
   * into the content; changes that conflict with it become a change request. Requires the role `admin` on the space.
   */
  readonly importRepository: Command<{ space: SpaceId; input: ImportGitRepository }, void, TargetError>
  /**
   * Starts an export of the content of a space to a branch as one commit, in the background, when the earlier operations of the
   * space have ended. Changes of the branch are merged first. The first export to a branch that has files fails without
   * `force`. An export without changes creates no commit. Requires the role `admin` on the space.
   */
  readonly exportRepository: Command<{ space: SpaceId; input: ExportToGitRepository }, void, TargetError>
  /**
   * Returns the repository of a space and the state of its latest operation. Requires the role `read` on the space. Fails with
   * `NotFound` if the space is not synchronized with a repository.
   */
  readonly getInfo: Query<{ space: SpaceId }, GitInfo, TargetError>
  /**
   * Starts an import of the branch of a space for a Git server that has the signed URL of its webhook. Returns whether the
   * signature is valid and the space is synchronized with a repository.
   */
  readonly receiveWebhook: Operation<
    { space: SpaceId; signature: string },
    boolean,
    StorageUnavailable,
    never
  >
}

const makeGitSync = Effect.gen(function* () {
  const { command, query, allow } = yield* Operations
  const ids = yield* Ids
  const jobs = yield* Jobs
  const encryption = yield* Encryption
  const webhooks = yield* GitWebhooks

  /** Adds the operation of a request to the queue of the space. */
  const request = Effect.fnUntraced(function* (
    records: GrantedRecords,
    row: SpaceRow,
    input: ImportGitRepository | ExportToGitRepository,
    user: UserId,
    direction: GitDirection
  ) {
    const space = row.id
    const [id, time] = [yield* ids.next, yield* now]
    const before = yield* records.get(gitSyncs, { space })
    yield* requireRoom(before)
    const operation = yield* makeOperation(encryption, space, before, input, { id, user, direction, time })
    if (operation === undefined) return
    const timestamp = input.timestamp ?? before?.timestamp ?? null
    yield* addOperation(records, jobs, row, before, operation, timestamp)
  })

  return {
    importRepository: command(
      "GitSync.importRepository",
      {
        parameters: { space: SpaceId, input: ImportGitRepository },
        authorize: allow.space("configure"),
        locks: Locks.space
      },
      function* ({ input }, { space, caller, records }) {
        yield* request(records, space, input, caller.user, "import")
      }
    ),

    exportRepository: command(
      "GitSync.exportRepository",
      {
        parameters: { space: SpaceId, input: ExportToGitRepository },
        authorize: allow.space("configure"),
        locks: Locks.space
      },
      function* ({ input }, { space, caller, records }) {
        yield* request(records, space, input, caller.user, "export")
      }
    ),

    getInfo: query(
      "GitSync.getInfo",
      { parameters: { space: SpaceId }, authorize: allow.space("read") },
      function* (_, { space, caller, role, records }) {
        const row = yield* requireGitSync(records, space.id)
        const canTrigger = spacePermissions(role, caller.role).triggerGitSync
        return presentGitInfo(row, space.gitSync, canTrigger ? yield* webhooks.urlOf(space.id) : undefined)
      }
    ),

    receiveWebhook: command(
      "GitSync.receiveWebhook",
      {
        parameters: { space: SpaceId, signature: Schema.String },
        authorize: webhooks.allowSigned,
        locks: Locks.space
      },
      function* ({ space }, { isSigned, records }) {
        if (!isSigned) {
          yield* addAuditDetails({ isUnrecorded: true })
          return false
        }
        const row = yield* records.get(gitSyncs, { space })
        const found = yield* records.get(spaces, { id: space }, ["deletedAt", "organization"])
        if (row === undefined || found?.deletedAt !== null) {
          yield* addAuditDetails({ isUnrecorded: true })
          return false
        }
        yield* addAuditDetails({ organization: found.organization })
        if (willImport(row)) return true
        const { user, url, credentials, ref, folder, commitUrl } = row.queue?.at(-1) ?? row
        const [id, requestedAt] = [yield* ids.next, yield* now]
        const operation: QueuedGitOperation = {
          ...{ id, direction: "import", force: false, standalone: false, message: "" },
          ...{ user, requestedAt, url, credentials, ref, folder, commitUrl }
        }
        yield* addOperation(records, jobs, { id: space, ...found }, row, operation, row.timestamp)
        return true
      }
    )
  }
})

/** Operations of Git synchronization: see {@link GitSyncOperations}. */
export class GitSync extends Context.Service<GitSync, GitSyncOperations>()("@lectern/core/GitSync") {
  static readonly layer: Layer.Layer<GitSync, never, Operations | Ids | Jobs | Encryption | GitWebhooks> =
    Layer.effect(GitSync, makeGitSync)
}
