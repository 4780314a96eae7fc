/** Reads, creates and presents the Git synchronization of a space. */

import type { GrantedReader } from "@lectern/access"
import { type GitRemote, parseRemote } from "@lectern/formats"
import { type Encryption, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type EndedGitOperationColumns,
  type GitSyncRow,
  gitCredentialsPlace,
  gitSyncs,
  type QueuedGitOperation
} from "@lectern/kernel/tables"
import { NotFound } from "@lectern/model/errors"
import type { ExportToGitRepository, GitDirection, GitInfo, ImportGitRepository } from "@lectern/model/git"
import { unescaped } from "@lectern/model/schema"
import type { GitProvider, GitSyncState, SpaceId } from "@lectern/model/spaces"
import type { UserId } from "@lectern/model/users"
import { Effect, Schema } from "effect"

/** The operation failed. The message is for the users of the space. */
export class GitFailed extends Schema.TaggedError<GitFailed>()("GitFailed", { message: Schema.String }) {}

/** Returns the row of a space. Fails with `NotFound` if the space is not synchronized with a repository. */
export const requireGitSync = Effect.fnUntraced(function* (
  records: GrantedReader,
  space: SpaceId
): Effect.fn.Return<GitSyncRow, NotFound | StorageUnavailable> {
  const row = yield* records.first(gitSyncs, { where: Where.eq<GitSyncRow, "space">("space", space) })
  return row ?? (yield* NotFound.of("Git synchronization"))
})

const providers: Readonly<Record<string, GitProvider>> = { "github.com": "github", "gitlab.com": "gitlab" }

/** Describes the repository of a request. */
const describeRepository = (
  url: string,
  { gitInfo, repoTreeURL }: Pick<ImportGitRepository, "gitInfo" | "repoTreeURL">,
  updatedAt: string
): GitSyncState => {
  const { hostname, pathname } = new URL(url)
  const provider = gitInfo?.provider ?? providers[hostname]
  const tree = gitInfo?.url ?? repoTreeURL
  return {
    repoName: unescaped(pathname)
      .replace(/^\/+/, "")
      .replace(/\.git$/, ""),
    ...(provider === undefined ? {} : { installationProvider: provider }),
    ...(tree === undefined ? {} : { url: tree }),
    updatedAt
  }
}

/** Returns the path of a folder without empty parts. */
const folderOf = (path: string | undefined): string =>
  (path ?? "")
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/")

/** The request of an operation, with its connection. */
interface OperationRequest {
  readonly id: string
  readonly user: UserId
  readonly direction: GitDirection
  readonly time: string
}

/**
 * Returns the operation of a request. It has the stored credentials if its URL is that of the operation before and contains no credentials.
 * Returns undefined for a request that is older than the latest one.
 */
export const makeOperation = Effect.fnUntraced(function* (
  encryption: Encryption["Service"],
  space: SpaceId,
  before: GitSyncRow | undefined,
  input: ImportGitRepository | ExportToGitRepository,
  { id, user, direction, time }: OperationRequest
): Effect.fn.Return<QueuedGitOperation | undefined, StorageUnavailable> {
  const { url, credentials } = parseRemote(input.url)
  const folder = folderOf(input.repoProjectDirectory)
  const { timestamp } = input
  if (before?.timestamp != null && timestamp !== undefined && timestamp < before.timestamp) return undefined
  const latest = before?.queue?.at(-1) ?? before
  const isSame = latest?.url === url && latest.ref === input.ref && latest.folder === folder
  return {
    id,
    direction,
    force: input.force === true,
    standalone: "standalone" in input && input.standalone === true,
    message: "commitMessage" in input ? input.commitMessage : "",
    user,
    requestedAt: time,
    url,
    credentials:
      credentials === undefined
        ? latest?.url === url
          ? latest.credentials
          : null
        : yield* encryption.encrypt(JSON.stringify(credentials), gitCredentialsPlace(space)),
    ref: input.ref,
    folder,
    commitUrl: input.repoCommitURL ?? (isSame ? latest.commitUrl : null),
    repository: describeRepository(url, input, time)
  }
})

/** Returns the repository of a row with its credentials. Fails if they cannot be decrypted. */
export const remoteOf = Effect.fnUntraced(function* (
  encryption: Encryption["Service"],
  { space, url, credentials }: GitSyncRow
): Effect.fn.Return<GitRemote, GitFailed | StorageUnavailable> {
  if (credentials === null) return { url }
  const decrypted = yield* encryption.decrypt(credentials, gitCredentialsPlace(space))
  if (decrypted === undefined) {
    return yield* new GitFailed({
      message:
        "The stored credentials cannot be decrypted. Start an operation with the credentials in the URL."
    })
  }
  return { url, credentials: JSON.parse(decrypted) }
})

/** Returns the operation that callers see: the one that was requested last, which is running until it has ended. */
const latestOperation = (row: GitSyncRow): GitInfo["operation"] => {
  const last = row.queue?.at(-1)
  if (last !== undefined && last.id !== row.operation) {
    const { direction, requestedAt } = last
    return {
      direction,
      state: "running",
      stage: "repo_fetch",
      startedAt: requestedAt,
      updatedAt: requestedAt
    }
  }
  return {
    direction: row.direction,
    state: row.state,
    stage: row.stage,
    startedAt: row.startedAt,
    updatedAt: row.updatedAt,
    ...(row.completedAt === null ? {} : { completedAt: row.completedAt }),
    ...(row.error === null || row.state === "running" ? {} : { error: row.error })
  }
}

const presentPrevious = (previous: EndedGitOperationColumns): NonNullable<GitInfo["previous"]> => {
  const { error, completedAt, ...columns } = previous
  return {
    ...columns,
    ...(completedAt === null ? {} : { completedAt }),
    ...(error === null ? {} : { error })
  }
}

/** Converts a row to a resource. */
export const presentGitInfo = (
  row: GitSyncRow,
  state: GitSyncState | null,
  webhook: string | undefined
): GitInfo => {
  const waiting = (row.queue ?? []).filter(({ id }) => id !== row.operation).length
  return {
    ...state,
    ref: row.ref,
    ...(row.commit === null ? {} : { commit: row.commit }),
    ...(row.revision === null ? {} : { revision: row.revision }),
    ...(row.changeRequest === null ? {} : { changeRequest: row.changeRequest }),
    ...(webhook === undefined ? {} : { webhook }),
    ...(waiting === 0 ? {} : { waiting }),
    ...(row.previous === null ? {} : { previous: presentPrevious(row.previous) }),
    operation: latestOperation(row)
  }
}
