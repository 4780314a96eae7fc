/**
 * How pages, files and reusable contents are kept in the map of a revision. Fields are there or absent, never null,
 * so that equal content is equal bytes.
 */
import type { BlobHash } from "../../kernel/storage/index.ts"
import type { Dimensions } from "./File.ts"
import type { ComputedSource, ContentRef, GitBlob, PageCover, PageId, PageLayout, PageType } from "./Page.ts"

/** Where an import had something from: another import of the same address finds it by this, and brings it up to date. */
export interface Imported {
  /** The address that was imported. */
  readonly from: string
  /** What it was there: the address of a page, a path in an archive. */
  readonly resource: string
}

/** A page. It stands under `parent` (the empty text for the root) at `position`, a key among its siblings. */
export interface PageRecord {
  readonly type: PageType
  readonly title: string
  readonly slug: string
  readonly parent: PageId | ""
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
  /** There of a page that was computed, which is never stored: what it was computed from. */
  readonly computedSeed?: string
  readonly git?: GitBlob
  readonly imported?: Imported
  /** The markdown of a document; there is none of an empty one. */
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

/** The keys of a revision's map. Beside the records there are two indexes of pages: by place, and by slug. */
export const keys = {
  page: (id: string) => `p/${id}`,
  file: (id: string) => `f/${id}`,
  reusableContent: (id: string) => `r/${id}`,
  place: (parent: string, position: string, id: string) => `c/${parent}/${position}/${id}`,
  slug: (parent: string, slug: string) => `s/${parent}/${slug}`
} as const

/** The keys that begin with a prefix that ends in a slash. */
export const within = (prefix: string) => ({ from: prefix, to: `${prefix.slice(0, -1)}0` })

/** The prefixes of what a map holds. */
export const prefixes = {
  pages: "p/",
  files: "f/",
  reusableContents: "r/",
  children: (parent: string) => `c/${parent}/`
} as const

/** The id that a key ends with. */
export const idOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1)

/** Where a page stands, as the last id of a path. */
export interface Placed {
  readonly id: PageId
  readonly page: PageRecord
}

/** The kinds of records that revisions are compared by. */
export type RecordKind = "page" | "file" | "reusableContent"

/** What a key is of: a record by its kind and id, or an index. */
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
