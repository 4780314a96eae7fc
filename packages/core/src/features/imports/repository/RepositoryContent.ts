/** The files of a repository of documentation, before its pages are parsed. */

import {
  type FileKind,
  kindOfFile,
  type RepositoryLayout,
  readLayout,
  type Skipped,
  type SummaryEntry
} from "@lectern/formats"
import type { StorageUnavailable } from "@lectern/kernel"
import type { GitCommit } from "@lectern/model/content"
import type { Effect } from "effect"
import type { FetchError } from "../ImportContext.ts"

/** A file of a repository. */
export interface RepositoryFile {
  /** The path in the repository, separated by slashes. */
  readonly path: string
  readonly kind: FileKind
  /** The size in bytes. */
  readonly size: number
}

/** A repository of documentation. Its files are loaded one at a time. */
export interface RepositoryContent {
  readonly layout: RepositoryLayout
  /** All files by path. Files are in the order of their paths. */
  readonly files: ReadonlyMap<string, RepositoryFile>
  /** The table of contents; undefined without one. */
  readonly summary: ReadonlyArray<SummaryEntry> | undefined
  /** Files that cannot be imported, and why. */
  readonly skipped: ReadonlyArray<Skipped>
  /** The size of the archive in bytes, which is compressed. */
  readonly transferSize: number
  /** Loads the bytes of a file. */
  readonly load: (path: string) => Effect.Effect<Uint8Array, FetchError | StorageUnavailable>
  /** Returns when a page was changed last, in ISO 8601; undefined if it is unknown. */
  readonly changedAt?: (path: string) => string | undefined
  /** Returns the losses of the conversion from another tool, in the files that have been loaded. */
  readonly problems?: () => ReadonlyArray<Skipped>
  /** The commit of the repository; undefined if it is unknown. */
  readonly git: GitCommit | undefined
}

/** Describes the files of a repository by their paths and sizes. Hidden files are omitted. */
export const describeFiles = (
  config: string | undefined,
  sizes: ReadonlyArray<readonly [path: string, size: number]>
): Pick<RepositoryContent, "layout" | "files"> => {
  const layout = readLayout(
    config,
    sizes.map(([path]) => path)
  )
  const files = sizes
    .map(([path, size]): RepositoryFile => ({ path, size, kind: kindOfFile(layout, path) }))
    .filter(({ kind }) => kind !== "hidden")
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  return { layout, files: new Map(files.map((file) => [file.path, file])) }
}
