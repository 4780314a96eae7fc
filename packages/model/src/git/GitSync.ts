/** Git synchronization: the connection of a space with a branch of a Git repository, and its latest operation. */
import * as Schema from "effect/Schema"
import { ChangeRequestId } from "../change-requests/ChangeRequest.ts"
import { RevisionId } from "../content/Revision.ts"
import { resource } from "../schema/resource.ts"
import { IsoDateTime, Timestamp, text } from "../schema/Text.ts"
import { Url } from "../schema/Url.ts"
import { GitProvider } from "../spaces/GitSyncState.ts"

/** Sequences of characters that the names of branches and tags must not have. */
const forbiddenInReference = /\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)|[/.]$|[\p{Cc}\p{Cs}]/u

/** The full name of a branch or a tag. */
const Reference = Schema.String.check(
  Schema.isPattern(/^refs\/(heads|tags)\/[^\s~^:?*[\\]{1,450}$/, {
    message: "must be the full name of a branch or a tag, such as refs/heads/main"
  }),
  Schema.makeFilter((value: string) =>
    forbiddenInReference.test(value) ? "must be a valid name of a branch or a tag" : undefined
  )
)

/** The path of a folder in a repository. */
const Folder = text({ max: 1000 }).check(
  Schema.makeFilter((value: string) =>
    /[\\\p{Cc}]/u.test(value) || value.split("/").includes("..")
      ? "must be the path of a folder in the repository"
      : undefined
  )
)

const connection = {
  /**
   * The URL of the repository over HTTP. It can contain a user name and a password, or a token as the password. They are
   * stored encrypted, for later operations with the same URL.
   */
  url: Url,
  /** The full name of the branch, such as `refs/heads/main`. */
  ref: Reference,
  /** Identifies a cache of the repository. It has no effect. */
  repoCacheID: Schema.optionalKey(text({ max: 255 })),
  /** The URL of the files of the branch, which links to files are relative to. */
  repoTreeURL: Schema.optionalKey(Url),
  /** The prefix of the URLs of commits. */
  repoCommitURL: Schema.optionalKey(Url),
  /** The folder of the repository that contains the documentation; the whole repository by default. */
  repoProjectDirectory: Schema.optionalKey(Folder),
  /** When the event occurred that started the operation. An operation older than the latest one is ignored. */
  timestamp: Schema.optionalKey(IsoDateTime),
  /** Metadata of the repository. */
  gitInfo: Schema.optionalKey(
    Schema.Struct({
      /** The provider of the repository. */
      provider: Schema.optionalKey(GitProvider),
      /** The URL of the files of the branch. */
      url: Schema.optionalKey(Url)
    })
  )
}

/** A request to import a branch of a Git repository into a space. */
export class ImportGitRepository extends resource<ImportGitRepository>()(
  Schema.Struct({
    ...connection,
    /** Whether to replace the content of the space instead of merging the changes of the repository into it. */
    force: Schema.optionalKey(Schema.Boolean),
    /** Whether to create a revision without changing the content of the space. */
    standalone: Schema.optionalKey(Schema.Boolean)
  }).annotate({ identifier: "ImportGitRepository" })
) {}

/** A request to export the content of a space to a branch of a Git repository. */
export class ExportToGitRepository extends resource<ExportToGitRepository>()(
  Schema.Struct({
    ...connection,
    /** The message of the commit, 1 to 10,000 characters. */
    commitMessage: text({ min: 1, max: 10_000 }),
    /**
     * Whether to replace the content of the branch without merging its changes first. The first export to a branch that
     * has files fails without it.
     */
    force: Schema.optionalKey(Schema.Boolean)
  }).annotate({ identifier: "ExportToGitRepository" })
) {}

/** The direction of an operation: from or to the repository. */
export const GitDirection = Schema.Literals(["import", "export"])

/** The direction of an operation: from or to the repository. */
export type GitDirection = typeof GitDirection.Type

/** The state of an operation. */
export const GitOperationState = Schema.Literals(["running", "failure", "success"])

/** The state of an operation. */
export type GitOperationState = typeof GitOperationState.Type

/** The step of a running operation. */
export const GitOperationStage = Schema.Literals([
  "repo_fetch",
  "config_check",
  "content_process",
  "finalize"
])

/** The step of a running operation. */
export type GitOperationStage = typeof GitOperationStage.Type

/** An operation that ended before the latest one started. */
const EndedGitOperation = Schema.Struct({
  /** Whether the operation imported or exported. */
  direction: GitDirection,
  /** The state in which it ended. */
  state: GitOperationState,
  /** When the operation was started. */
  startedAt: Timestamp,
  /** When the operation ended. Absent if the connection was replaced while it was running. */
  completedAt: Schema.optionalKey(Timestamp),
  /** Why the operation failed. Present if the state is `failure`. */
  error: Schema.optionalKey(Schema.String)
})

/** The Git synchronization of a space. */
export class GitInfo extends resource<GitInfo>()(
  Schema.Struct({
    /** The name of the repository: its path without the extension. */
    repoName: Schema.optionalKey(Schema.String),
    /** The provider of the repository. Absent for other Git servers. */
    installationProvider: Schema.optionalKey(GitProvider),
    /** The URL of the files of the branch. Absent if it is not set. */
    url: Schema.optionalKey(Schema.String),
    /** When the connection was last changed. */
    updatedAt: Schema.optionalKey(Timestamp),
    /** The full name of the branch. */
    ref: Schema.String,
    /** The hash of the latest commit that the space is synchronized with. Absent before the first operation ends. */
    commit: Schema.optionalKey(Schema.String),
    /** The id of the revision with the content of the commit. Absent before the first operation ends. */
    revision: Schema.optionalKey(RevisionId),
    /**
     * The id of the change request with changes of the repository that conflict with the content of the space. Exports
     * fail until it is merged or archived. Absent without conflicts.
     */
    changeRequest: Schema.optionalKey(ChangeRequestId),
    /**
     * The URL that GitHub, GitLab or another Git server calls when the branch changes. It needs no token. Absent for callers
     * that cannot trigger the synchronization.
     */
    webhook: Schema.optionalKey(Schema.String),
    /** The number of operations that wait for the end of another one. Absent if none waits. */
    waiting: Schema.optionalKey(Schema.Int),
    /** The operation before the latest one that has started. Absent if it does not exist. */
    previous: Schema.optionalKey(EndedGitOperation),
    /** The latest operation. It is `running` from its request on, also while it waits for others. */
    operation: Schema.Struct({
      /** Whether the operation imports or exports. */
      direction: GitDirection,
      /** The state of the operation. */
      state: GitOperationState,
      /** The current step of the operation, or its last one. */
      stage: GitOperationStage,
      /** When the operation was started. */
      startedAt: Timestamp,
      /** When the state or the stage last changed. */
      updatedAt: Timestamp,
      /** When the operation ended. Absent while it is running. */
      completedAt: Schema.optionalKey(Timestamp),
      /** Why the operation failed. Present if the state is `failure`. */
      error: Schema.optionalKey(Schema.String)
    })
  }).annotate({ identifier: "GitInfo" })
) {}
