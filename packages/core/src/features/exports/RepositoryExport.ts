/** A tree as the files of a repository, and the services that write them. */
import type { ReadImport } from "@lectern/formats"
import type { BlobHash, StorageUnavailable } from "@lectern/kernel"
import type { Stream } from "effect"
import type { ContentStore } from "../content/ContentStore.ts"

/** The services that exports use. */
export interface ExportServices {
  readonly store: ContentStore["Service"]
  readonly read: ReadImport
  /** The random part of the placeholders of link targets: see `markOf`. */
  readonly mark: string
}

/** A file of an export. */
export interface ExportedFile {
  /** The path, separated by slashes. */
  readonly path: string
  /** The bytes of text, or the hash and the size of a stored file. */
  readonly content: Uint8Array | { readonly hash: BlobHash; readonly size: number }
}

/** A tree that is ready to be written. */
export interface RepositoryExport {
  /** The number of files. */
  readonly count: number
  /** The total size of stored files in bytes, without Markdown. */
  readonly storedBytes: number
  /** The files. Markdown is written when it is read. */
  readonly files: Stream.Stream<ExportedFile, StorageUnavailable>
}
