/** The port through which packfiles of Git are read and written. */
import { Context, type Effect } from "effect"
import type { SkippedFile, Unpacked, UnpackedLimit } from "./archives.ts"
import type { NotReadable } from "./NotReadable.ts"

/** The author or the committer of a commit. */
interface GitPerson {
  readonly name: string
  readonly email: string
}

/** The input and the result of each task on packfiles. */
export interface GitPackTasks {
  /** The files of a commit below a folder, which is empty for all files. */
  readonly gitFiles: {
    readonly in: {
      readonly bytes: Uint8Array
      readonly commit: string
      readonly folder: string
      /** The files that the packfile may lack: none, the ones without text, or all. They are skipped. */
      readonly omitted: "none" | "large" | "all"
    } & UnpackedLimit
    readonly out: {
      readonly files: ReadonlyArray<Unpacked>
      readonly skipped: ReadonlyArray<SkippedFile>
      /** The hash of the commit; that of the request can be a tag. */
      readonly commit: string
      readonly message: string
    }
  }
  /** The hashes of the files of a commit that a packfile lacks, and that another file names, or that are retained. */
  readonly gitNamedFiles: {
    readonly in: {
      readonly bytes: Uint8Array
      readonly commit: string
      readonly folder: string
      readonly retained: ReadonlyArray<string>
    } & UnpackedLimit
    readonly out: ReadonlyArray<string>
  }
  /**
   * The times of the commits that changed the pages below a folder last, in ISO 8601, by their paths. The packfile has commits and
   * folders. Pages that are unchanged in all commits have the time of the oldest one.
   */
  readonly gitDates: {
    readonly in: { readonly bytes: Uint8Array; readonly commit: string; readonly folder: string }
    readonly out: ReadonlyMap<string, string>
  }
  /** Whether a packfile has a commit. */
  readonly gitContains: {
    readonly in: { readonly bytes: Uint8Array; readonly commit: string }
    readonly out: boolean
  }
  /** A commit that replaces and removes files below a folder. `bytes` is a packfile with its parent. */
  readonly gitCommit: {
    readonly in: {
      readonly bytes: Uint8Array
      /** The hash of the parent; undefined for the first commit. */
      readonly parent: string | undefined
      readonly folder: string
      readonly files: ReadonlyArray<Unpacked>
      /** The paths of the files to remove. */
      readonly removed: ReadonlyArray<string>
      readonly message: string
      readonly author: GitPerson
      readonly committer: GitPerson
      /** The time in seconds since 1970. */
      readonly time: number
    }
    /** The hash of the commit, and a packfile of the new objects. The hash is undefined if nothing changes. */
    readonly out: { readonly commit: string | undefined; readonly bytes: Uint8Array }
  }
}

/** A task on packfiles. */
export type GitPackTask = keyof GitPackTasks

/**
 * Performs a task on a packfile, which may be large or adversarial. Fails with `NotReadable` if it cannot be parsed. It must
 * terminate in bounded CPU time and memory for any input, and not block the event loop.
 */
export type ProcessGitPack = <K extends GitPackTask>(
  task: K,
  input: GitPackTasks[K]["in"]
) => Effect.Effect<GitPackTasks[K]["out"], NotReadable>

/**
 * Processes packfiles of Git: `gitPacks()` of `@lectern/converters`. Without it, Git synchronization and imports of
 * Git repositories are off.
 */
export const GitPacks = Context.Reference<ProcessGitPack | undefined>("@lectern/core/GitPacks", {
  defaultValue: () => undefined
})
