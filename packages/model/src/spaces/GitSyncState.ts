/** The repository that a space is synchronized with, as the space presents it. */
import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"

/** The provider of a Git repository. */
export const GitProvider = Schema.Literals(["github", "gitlab"])
/** The provider of a Git repository. */
export type GitProvider = typeof GitProvider.Type

/** The repository that a space is synchronized with. */
export class GitSyncState extends resource<GitSyncState>()(
  Schema.Struct({
    /** The name of the repository: its path without the extension. */
    repoName: Schema.optionalKey(Schema.String),
    /** The provider of the repository. Absent for other Git servers. */
    installationProvider: Schema.optionalKey(GitProvider),
    /** The URL of the files of the branch. Absent if it is not set. */
    url: Schema.optionalKey(Schema.String),
    /** When the connection was last changed. */
    updatedAt: Schema.optionalKey(Timestamp)
  }).annotate({ identifier: "GitSyncState" })
) {}
