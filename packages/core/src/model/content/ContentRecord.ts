/**
 * Records of pages, files and reusable contents in the map of a revision. Fields without value are absent, never null,
 * so that equal content has equal bytes.
 */
import type { BlobHash } from "../../kernel/storage/index.ts"
import type { Dimensions } from "./File.ts"
import type { ComputedSource, ContentRef, GitBlob, PageCover, PageId, PageLayout, PageType } from "./Page.ts"

/** The origin of an imported record, by which another import from the same URL finds and updates it. */
export interface Imported {
  /** The URL that was imported. */
  readonly from: string
  /** The resource of the source: the URL of a page, or a path in an archive. */
  readonly resource: string
}

/** A page. */
export interface PageRecord {
  readonly type: PageType
  readonly title: string
  readonly slug: string
  /** The page above; empty at the root. */
  readonly parent: PageId | ""
  /** A fractional index that orders siblings. */
  readonly position: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly emoji?: string
  readonly icon?: string
  readonly description?: string
  readonly hidden?: true
  readonly noIndex?: true
  readonly noRobotsIndex?: true
  readonly layout?: Partial<PageLayout>
  readonly cover?: PageCover
  readonly target?: ContentRef
  readonly computed?: ComputedSource
  /** The version of the source of a page that was computed. Such pages are never stored. */
  readonly computedSeed?: string
  readonly git?: GitBlob
  readonly imported?: Imported
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
}

/** The keys of a revision's map: records, and two indexes of pages by place and by slug. */
export const keys = {
  page: (id: string) => `p/${id}`,
  file: (id: string) => `f/${id}`,
  reusableContent: (id: string) => `r/${id}`,
  place: (parent: string, position: string, id: string) => `c/${parent}/${position}/${id}`,
  slug: (parent: string, slug: string) => `s/${parent}/${slug}`
} as const

/** The range of keys that begin with a prefix that ends in a slash. */
export const within = (prefix: string) => ({ from: prefix, to: `${prefix.slice(0, -1)}0` })

/** The key prefixes of records and of the index by place. */
export const prefixes = {
  pages: "p/",
  files: "f/",
  reusableContents: "r/",
  children: (parent: string) => `c/${parent}/`
} as const

/** The id that a key ends with. */
export const idOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1)

/** A page with its id. */
export interface Placed {
  readonly id: PageId
  readonly page: PageRecord
}

/** The kinds of records. */
export type RecordKind = "page" | "file" | "reusableContent"

/** The kind and id of the record of a key; undefined for keys of an index. */
export const recordOf = (key: string): { readonly kind: RecordKind; readonly id: string } | undefined => {
  const id = key.slice(2)
  switch (key[0]) {
    case "p":
      return { kind: "page", id }
    case "f":
      return { kind: "file", id }
    case "r":
      return { kind: "reusableContent", id }
    default:
      return undefined
  }
}
