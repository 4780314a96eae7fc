/** Reads, creates and presents the Git synchronization of a space. */

import { NotFound } from "@lectern/model/errors"
import type { ExportToGitRepository, GitInfo, ImportGitRepository } from "@lectern/model/git"
import { unescaped } from "@lectern/model/schema"
import type { GitProvider, GitSyncState, SpaceId } from "@lectern/model/spaces"
import type { UserId } from "@lectern/model/users"
import { Effect, Schema } from "effect"
import type { GrantedReader, GrantedRecords } from "../../access/grants/Grant.ts"
import type { Encryption } from "../../kernel/security/Encryption.ts"
import { type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import type { GitSyncRow } from "../../tables/git/gitSyncTable.ts"
import { gitSyncs } from "../../tables/git/gitSyncTable.ts"
import { type SpaceRow, spaces } from "../../tables/spaces/spaceTable.ts"
import { type GitRemote, parseRemote } from "../imports/git/GitRemote.ts"

/** The kind of the jobs. */
export const gitSyncJob = "gitSync"

/** The operation failed. The message is for the users of the space. */
export class GitFailed extends Schema.TaggedError<GitFailed>()("GitFailed", { message: Schema.String }) {}

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

const placeOfCredentials = (space: SpaceId): string => `git ${space}`

/**
 * Stores the connection of a request, and its operation as the latest one. Another URL, branch or folder starts a new
 * synchronization. Returns undefined for a request that is older than the latest operation.
 */
export const storeOperation = Effect.fnUntraced(function* (
  records: GrantedRecords,
  encryption: Encryption["Service"],
  space: SpaceRow,
  input: ImportGitRepository | ExportToGitRepository,
  {
    id,
    user,
    direction,
    time
  }: { id: string; user: UserId; direction: GitSyncRow["direction"]; time: string }
): Effect.fn.Return<GitSyncRow | undefined, StorageUnavailable> {
  const { url, credentials } = parseRemote(input.url)
  const folder = folderOf(input.repoProjectDirectory)
  const before = yield* records.first(gitSyncs, {
    where: Where.eq<GitSyncRow, "space">("space", space.id)
  })
  const { timestamp = null } = input
  if (before?.timestamp != null && timestamp !== null && timestamp < before.timestamp) return undefined
  const isSame = before?.url === url && before.ref === input.ref && before.folder === folder
  const row: GitSyncRow = {
    space: space.id,
    user,
    url,
    credentials:
      credentials === undefined
        ? before?.url === url
          ? before.credentials
          : null
        : yield* encryption.encrypt(JSON.stringify(credentials), placeOfCredentials(space.id)),
    ref: input.ref,
    folder,
    commitUrl: input.repoCommitURL ?? (isSame ? before.commitUrl : null),
    revision: isSame ? before.revision : null,
    commit: isSame ? before.commit : null,
    changeRequest: isSame ? before.changeRequest : null,
    timestamp: timestamp ?? before?.timestamp ?? null,
    operation: id,
    direction,
    state: "running",
    stage: "repo_fetch",
    error: null,
    startedAt: time,
    updatedAt: time,
    completedAt: null
  }
  const { space: _, ...set } = row
  if (before === undefined) yield* records.insert(gitSyncs, row)
  else yield* records.update(gitSyncs, Where.eq<GitSyncRow, "space">("space", space.id), set)
  yield* records.update(spaces, Where.eq<SpaceRow, "id">("id", space.id), {
    gitSync: describeRepository(url, input, time)
  })
  return row
})

/** Returns the repository of a row with its credentials. Fails if they cannot be decrypted. */
export const remoteOf = Effect.fnUntraced(function* (
  encryption: Encryption["Service"],
  { space, url, credentials }: GitSyncRow
): Effect.fn.Return<GitRemote, GitFailed | StorageUnavailable> {
  if (credentials === null) return { url }
  const decrypted = yield* encryption.decrypt(credentials, placeOfCredentials(space))
  if (decrypted === undefined) {
    return yield* new GitFailed({
      message:
        "The stored credentials cannot be decrypted. Start an operation with the credentials in the URL."
    })
  }
  return { url, credentials: JSON.parse(decrypted) }
})

/** Converts a row to a resource. */
export const presentGitInfo = (
  row: GitSyncRow,
  state: GitSyncState | null,
  webhook: string | undefined
): GitInfo => ({
  ...state,
  ref: row.ref,
  ...(row.commit === null ? {} : { commit: row.commit }),
  ...(row.revision === null ? {} : { revision: row.revision }),
  ...(row.changeRequest === null ? {} : { changeRequest: row.changeRequest }),
  ...(webhook === undefined ? {} : { webhook }),
  operation: {
    direction: row.direction,
    state: row.state,
    stage: row.stage,
    startedAt: row.startedAt,
    updatedAt: row.updatedAt,
    ...(row.completedAt === null ? {} : { completedAt: row.completedAt }),
    ...(row.error === null ? {} : { error: row.error })
  }
})
