/** What was found where an import was asked for, before it is written. */
import type { FileName } from "../../model/content/File.ts"
import type { GitBlob } from "../../model/content/Page.ts"
import type { GitCommit } from "../../model/content/Revision.ts"
import type { Entry, ReadPage } from "../conversion/Readings.ts"

/** A page with where it stands. */
export interface GatheredPage {
  /** What it is known by when the same address is imported again. */
  readonly resource: string
  /** Its place: names from the top to itself, none of the page that all others are around. */
  readonly segments: ReadonlyArray<string>
  readonly page: ReadPage
  /** Its title where it says none. */
  readonly fallback: string
  readonly git?: GitBlob
}

/** A file that pages lead to. */
export interface GatheredFile {
  readonly resource: string
  readonly name: typeof FileName.Type
  readonly contentType: string
  readonly bytes: Uint8Array
  readonly git?: GitBlob
}

/** What was gathered. */
export interface Gathered {
  readonly pages: ReadonlyArray<GatheredPage>
  readonly files: ReadonlyArray<GatheredFile>
  /** Resources that were tried. */
  readonly total: number
  /** The order and the nesting that the source itself gives its pages, by their resources. */
  readonly navigation: ReadonlyArray<Entry>
  /**
   * The resource that an address or a path names, whatever the way in which it is written: one of those here, or one
   * that would have been.
   */
  readonly resourceOf: (url: string) => string | undefined
  readonly git: GitCommit | undefined
}
