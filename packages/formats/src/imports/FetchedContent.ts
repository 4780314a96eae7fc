/** The pages and files that an import has fetched and parsed, before they are written. */
import type { FileName, GitBlob, GitCommit } from "@lectern/model/content"
import type { Entry, ReadPage } from "../conversion/Readings.ts"

/** A fetched page, with its location in the source. */
export interface FetchedPage {
  /** The stable identifier in the source. A repeated import of the same URL updates the page with this identifier. */
  readonly resource: string
  /** The path in the source, as names from the root to the page itself. Empty for the root page. */
  readonly segments: ReadonlyArray<string>
  readonly page: ReadPage
  /** The title if the page does not declare one. */
  readonly fallback: string
  readonly git?: GitBlob
}

/** A fetched file that pages refer to. */
export interface FetchedFile {
  /** The stable identifier in the source. */
  readonly resource: string
  readonly name: typeof FileName.Type
  readonly contentType: string
  readonly bytes: Uint8Array
  readonly git?: GitBlob
}

/** A resource of the source that is not imported. */
export interface Skipped {
  /** The kind of the resource: a page, a file that pages refer to, or an entry of the table of contents. */
  readonly kind: "page" | "file" | "entry"
  /** The identifier in the source: a URL or a path. */
  readonly resource: string
  /** The problem and its consequence for the import. */
  readonly reason: string
}

/** The result of fetching the source of an import. */
export interface FetchedContent {
  readonly pages: ReadonlyArray<FetchedPage>
  readonly files: ReadonlyArray<FetchedFile>
  /** The number of resources that were attempted, including failed ones. */
  readonly total: number
  /** Resources that were attempted and are not imported, with the reason. */
  readonly skipped: ReadonlyArray<Skipped>
  /** The navigation of the source: the order and the nesting of pages, by their resources. */
  readonly navigation: ReadonlyArray<Entry>
  /**
   * Returns the resource that a URL or a path refers to, in any of its equivalent forms. The resource may be one that this
   * import did not fetch. Returns undefined for URLs outside of the source.
   */
  readonly resourceOf: (url: string) => string | undefined
  /** The commit of the archive of a repository; undefined for other sources. */
  readonly git: GitCommit | undefined
}
