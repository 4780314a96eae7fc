/**
 * Records of pages, files and reusable contents in the map of a revision. Fields without value are absent, never null,
 * so that equal content has equal bytes.
 */

import type {
  ComputedSource,
  ContentRef,
  Dimensions,
  GitBlob,
  PageCover,
  PageId,
  PageLayout,
  PageMetaLinks,
  PageType
} from "@lectern/model/content"
import type { BlobHash } from "../../storage/index.ts"

/** The origin of an imported record, by which another import from the same URL finds and updates it. */
export interface Imported {
  /** The URL that was imported. */
  readonly from: string
  /** The resource of the source: the URL of a page, or a path in an archive. */
  readonly resource: string
  /** Whether the source has a table of contents that does not list the page, so that it was imported as a hidden page. */
  readonly isUnlisted?: true
}

/** A page. */
export interface PageRecord {
  /** The type of the page. */
  readonly type: PageType
  /** The title, 1 to 256 characters. */
  readonly title: string
  /** The slug, unique among siblings; empty for links and computed pages. */
  readonly slug: string
  /** The id of the parent page; empty at the root. */
  readonly parent: PageId | ""
  /** A fractional index that orders siblings. */
  readonly position: string
  /** When the page was created. */
  readonly createdAt: string
  /** When the page was last updated. */
  readonly updatedAt: string
  /** The emoji: a character, or its code points in hexadecimal. */
  readonly emoji?: string
  /** The name of the icon. */
  readonly icon?: string
  /** The description, at most 2000 characters. */
  readonly description?: string
  /** Whether the page is hidden from the table of contents, search and PDF exports. */
  readonly hidden?: true
  /**
   * The condition under which visitors of a site can see the page and the pages below it. One that is not a valid
   * expression, which imports can contain, hides them from every visitor.
   */
  readonly condition?: string
  /** Whether the page is marked as excluded from search. */
  readonly noIndex?: true
  /** Whether the page is marked as excluded from external search engines. */
  readonly noRobotsIndex?: true
  /** The settings of the layout that differ from the defaults. */
  readonly layout?: Partial<PageLayout>
  /** The cover image. */
  readonly cover?: PageCover
  /** The links for search engines. */
  readonly metaLinks?: PageMetaLinks
  /** The target of a link. */
  readonly target?: ContentRef
  /** The source of a computed page. */
  readonly computed?: ComputedSource
  /** The version of the source of a page that was computed. Such pages are never stored. */
  readonly computedSeed?: string
  /** The location in a git repository. */
  readonly git?: GitBlob
  /** The origin of an imported page. */
  readonly imported?: Imported
  /** The bytes of the file that the page was imported from. Exports of an unchanged page reproduce them. */
  readonly source?: BlobHash
  /** The Markdown of a document; absent for an empty one. */
  readonly body?: BlobHash
}

/** A file. */
export interface FileRecord {
  readonly name: string
  readonly contentType: string
  readonly size: number
  readonly hash: BlobHash
  readonly dimensions?: Dimensions
  readonly git?: GitBlob
  readonly imported?: Imported
}

/** A reusable content. */
export interface ReusableContentRecord {
  readonly title: string
  readonly body?: BlobHash
  readonly git?: GitBlob
  readonly imported?: Imported
  /** The bytes of the file that the content was imported from. Exports of unchanged content reproduce them. */
  readonly source?: BlobHash
}

/** A file of an imported repository that is not content: its configuration or its table of contents. */
export interface SourceRecord {
  /** The bytes of the file. */
  readonly hash: BlobHash
  /** The pages that former paths redirect to. Present in the record of the configuration. */
  readonly redirects?: Readonly<Record<string, PageId>>
}

/** Builds the keys of the map of a revision: records under their ids, sources under their paths, and two indexes of pages by position and by slug. */
export const keys = {
  page: (id: string) => `p/${id}`,
  file: (id: string) => `f/${id}`,
  reusableContent: (id: string) => `r/${id}`,
  source: (path: string) => `g/${path}`,
  place: (parent: string, position: string, id: string) => `c/${parent}/${position}/${id}`,
  slug: (parent: string, slug: string) => `s/${parent}/${slug}`
} as const

/** Returns the range of keys that start with a prefix, which ends with a slash. */
export const within = (prefix: string) => ({ from: prefix, to: `${prefix.slice(0, -1)}0` })

/** The key prefixes of records and of the index by position. */
export const prefixes = {
  pages: "p/",
  files: "f/",
  reusableContents: "r/",
  sources: "g/",
  children: (parent: string) => `c/${parent}/`
} as const

/** Returns the id at the end of a key. */
export const idOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1)

/** A page with its id. */
export interface Placed {
  /** The id of the page. */
  readonly id: PageId
  /** The record of the page. */
  readonly page: PageRecord
}

/** The kinds of records. */
export type RecordKind = "page" | "file" | "reusableContent" | "source"

/** Returns the kind and the id of the record at a key, or `undefined` for keys of an index. */
export const recordOf = (key: string): { readonly kind: RecordKind; readonly id: string } | undefined => {
  const id = key.slice(2)
  switch (key[0]) {
    case "p":
      return { kind: "page", id }
    case "f":
      return { kind: "file", id }
    case "r":
      return { kind: "reusableContent", id }
    case "g":
      return { kind: "source", id }
    default:
      return undefined
  }
}
