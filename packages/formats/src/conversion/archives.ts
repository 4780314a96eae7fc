/** The files of archives and of commits. */

/** A decompressed file of an archive. */
export interface Unpacked {
  /** The path in the archive, separated by slashes. */
  readonly path: string
  /** The decompressed bytes. */
  readonly bytes: Uint8Array
}

/** A file of an archive that cannot be imported, and why. */
export interface SkippedFile {
  /** The path in the archive, separated by slashes. */
  readonly path: string
  /** Why it cannot be imported, as a sentence. */
  readonly reason: string
}

/** The limit of the size of all files of an archive or of a packfile. */
export interface UnpackedLimit {
  /** The maximum number of bytes of all files; 128 MiB by default. */
  readonly unpackedBytes?: number
}
