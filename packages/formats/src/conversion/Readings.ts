/** The inputs and results of {@link ImportReader}, whose bytes may be large or adversarial. */

import type { Fields } from "@lectern/markdown/frontMatter"
import type { OtherSource } from "@lectern/model/imports"
import type { SkippedFile, Unpacked, UnpackedLimit } from "./archives.ts"
import type { ConvertedPage, SourceFiles, SourceTree } from "./SourceTree.ts"
import type { SummaryEntry } from "./SummaryEntry.ts"

/** The target of a link or an image in a page. */
export interface Target {
  /** Whether a link or an image refers to the target. */
  readonly kind: "link" | "image" | "include"
  /** An absolute URL, the path in an archive, or the `data:` URL of an embedded image. */
  readonly url: string
  /** The destination to write if the target was not imported. */
  readonly otherwise: string
}

/**
 * A parsed page. The final destinations of links and images depend on the other pages of the import, so that the
 * Markdown has a placeholder for each: a mark with the index in `targets`.
 */
export interface ReadPage {
  readonly title: string | undefined
  readonly description: string | undefined
  /** The Markdown, with a mark for each destination. */
  readonly markdown: string
  /** The targets that marks refer to by index. */
  readonly targets: ReadonlyArray<Target>
  /** The anchors of headings by the ids that links to the page use. */
  readonly anchors: Readonly<Record<string, string>>
  /** The fields that the front matter of a file of a repository sets; absent for other pages. */
  readonly fields?: ReadFields
}

/** The fields of a page in a repository. The paths of its cover image are indexes in `targets`. */
export interface ReadFields extends Omit<Fields, "title" | "description"> {
  readonly cover?: { readonly target: number; readonly darkTarget: number | undefined; readonly yPos: number }
}

/** An entry of the navigation of a website, a wiki or a book. Without a URL, it is a heading. */
export interface Entry {
  /** The absolute URL, or the path in an archive. */
  readonly url: string | undefined
  /** The text of the entry. */
  readonly title: string
  /** The entries below this entry, in order. */
  readonly entries: ReadonlyArray<Entry>
}

/** The place of a page in a website, as the page shows it. */
export interface PagePlace {
  /** The menu of the website, or of the part of it that contains the page. */
  readonly navigation: ReadonlyArray<Entry>
  /** The pages below the page that its text lists. */
  readonly contents: ReadonlyArray<Entry>
  /** The URLs of the pages above the page, the outermost first. They can begin with the first page of the website. */
  readonly ancestors: ReadonlyArray<string>
  /** The URL of the next page in the order of reading. */
  readonly next: string | undefined
  /** The URL of a file that contains the menu, which the page loads with a script. */
  readonly menuUrl: string | undefined
}

/** A parsed page of a website. */
export interface WebPage extends ReadPage {
  /** The URLs of its links that a crawler may follow. */
  readonly links: ReadonlyArray<string>
  /** The canonical URL that the page declares. */
  readonly canonical: string | undefined
  /** Its place in the website; undefined unless requested. */
  readonly place: PagePlace | undefined
}

/** A file in the directory of a ZIP archive. */
export interface ZipEntry {
  /** The path in the archive, separated by slashes. */
  readonly path: string
  /** Where its local header starts. */
  readonly offset: number
  /** The compressed size in bytes. */
  readonly packedSize: number
  /** The decompressed size in bytes. */
  readonly size: number
  /** The compression method: 0 for stored files, 8 for deflate. */
  readonly method: number
}

/** The input of pages: their bytes, and the mark of the import. */
interface Marked {
  readonly bytes: Uint8Array
  /** A random string, so that imported content cannot contain marks. */
  readonly mark: string
}

/** The input and the result of each kind of parsing. */
export interface Readings {
  /** A web page. `isWhole` skips the search for the main content. `withPlace` requests the place. */
  readonly html: {
    readonly in: Marked & {
      readonly url: string
      readonly isWhole?: boolean
      readonly withPlace?: boolean
    }
    readonly out: WebPage
  }
  /** A file that contains the menu of a website: a script of TypeDoc, or a page. */
  readonly menu: {
    readonly in: { readonly bytes: Uint8Array; readonly url: string; readonly base: string }
    readonly out: ReadonlyArray<Entry>
  }
  /** Markdown. Relative destinations are resolved against `base`, a URL or a path in an archive. */
  readonly markdown: {
    readonly in: Marked & {
      readonly base: string
      readonly isWiki?: boolean
      /** The kind of a file of a repository, or `body` for a stored body. Every character is preserved. */
      readonly part?: "page" | "include" | "body"
    }
    readonly out: ReadPage
  }
  /** The table of contents of a repository. */
  readonly summary: {
    readonly in: { readonly bytes: Uint8Array }
    readonly out: ReadonlyArray<SummaryEntry>
  }
  /** The tree of another documentation tool. */
  readonly sourceTree: {
    readonly in: SourceFiles & { readonly source: OtherSource }
    readonly out: SourceTree
  }
  /** A page of another documentation tool. Its targets are paths in the source. */
  readonly sourcePage: {
    readonly in: Marked & { readonly source: OtherSource; readonly path: string }
    readonly out: ConvertedPage & { readonly targets: ReadonlyArray<Target> }
  }
  /** A docx document. */
  readonly docx: { readonly in: Marked & { readonly url: string }; readonly out: ReadPage }
  /** The central directory of a ZIP archive, which has `count` entries. */
  readonly zipIndex: {
    readonly in: { readonly bytes: Uint8Array; readonly count: number } & UnpackedLimit
    readonly out: { readonly entries: ReadonlyArray<ZipEntry>; readonly skipped: ReadonlyArray<SkippedFile> }
  }
  /** A compressed file of a ZIP archive. */
  readonly zipEntry: {
    readonly in: { readonly bytes: Uint8Array } & Pick<ZipEntry, "method" | "size">
    readonly out: Uint8Array
  }
  /** A tar archive, plain or compressed with gzip. */
  readonly tar: {
    readonly in: { readonly bytes: Uint8Array } & UnpackedLimit
    readonly out: {
      readonly files: ReadonlyArray<Unpacked>
      readonly skipped: ReadonlyArray<SkippedFile>
      readonly comment: string
    }
  }
  /** The URLs of pages and of other sitemaps in a sitemap. */
  readonly sitemap: {
    readonly in: { readonly bytes: Uint8Array }
    readonly out: { readonly pages: ReadonlyArray<string>; readonly sitemaps: ReadonlyArray<string> }
  }
}
/** A kind of parsing. */
export type ReadingKind = keyof Readings

/** Returns the mark of a target, which Markdown has as the destination. */
export const markOf = (mark: string, index: number): string => `import:${mark}:${index}`

/** Replaces each mark in Markdown with the result of `by` for its index. */
export const replaceMarks = (markdown: string, mark: string, by: (index: number) => string): string =>
  markdown.replaceAll(new RegExp(`import:${mark}:(\\d+)`, "g"), (_, index: string) => by(Number(index)))
