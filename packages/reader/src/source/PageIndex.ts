/** Indexes the pages of content: by id, by path, and in reading order. */
import type { ContentPage, File } from "@lectern/core"
import { foldersOf, pagePathOf, resolveSegments } from "@lectern/core/content"
import { decodePart } from "../html/urls.ts"

/** A page in the tree of its content. */
export type TreePage = ContentPage

/** A page with a body. */
export type DocumentPage = Extract<TreePage, { type: "document" }>

/** A page with the pages above it. */
export interface IndexedPage {
  readonly page: TreePage
  /** The pages above it, outermost first. */
  readonly above: ReadonlyArray<TreePage>
  /** Whether it, or a page above it, is hidden. */
  readonly isHidden: boolean
}

/** The pages and files of content. */
export interface PageIndex {
  readonly pages: ReadonlyArray<TreePage>
  readonly byId: ReadonlyMap<string, IndexedPage>
  /** Documents and groups by path. */
  readonly byPath: ReadonlyMap<string, IndexedPage>
  /** The visible documents in reading order. */
  readonly reading: ReadonlyArray<DocumentPage>
  /** The first visible document, which has the URL of the content. */
  readonly first: DocumentPage | undefined
  readonly files: ReadonlyMap<string, File>
  readonly fileByName: ReadonlyMap<string, File>
}

const indexes = new WeakMap<object, PageIndex>()

/** Indexes the pages and the files of a revision. The index is cached as long as the revision is. */
export const indexPages = (revision: {
  readonly pages: ReadonlyArray<TreePage>
  readonly files: ReadonlyArray<File>
}): PageIndex => {
  const cached = indexes.get(revision)
  if (cached !== undefined) return cached
  const byId = new Map<string, IndexedPage>()
  const byPath = new Map<string, IndexedPage>()
  const reading: Array<DocumentPage> = []
  const visit = (
    pages: ReadonlyArray<TreePage>,
    above: ReadonlyArray<TreePage>,
    isBelowHidden: boolean
  ): void => {
    for (const page of pages) {
      const isHidden = isBelowHidden || ("hidden" in page && page.hidden === true)
      const indexed = { page, above, isHidden }
      byId.set(page.id, indexed)
      if ("path" in page && !byPath.has(page.path)) byPath.set(page.path, indexed)
      if (page.type === "document" && !isHidden) reading.push(page)
      if ("pages" in page) visit(page.pages, [...above, page], isHidden)
    }
  }
  visit(revision.pages, [], false)
  const index: PageIndex = {
    pages: revision.pages,
    byId,
    byPath,
    reading,
    first: reading[0],
    files: new Map(revision.files.map((file) => [file.id, file])),
    fileByName: new Map(revision.files.map((file) => [file.name, file]))
  }
  indexes.set(revision, index)
  return index
}

/** A target within the content: a page with an anchor, or a file. */
export type RelativeTarget =
  | { readonly page: TreePage; readonly anchor: string }
  | { readonly file: File }
  | undefined

/**
 * Resolves the path of a page or a file as it is written in Markdown, such as `../setup.md#install`. It is relative to the
 * parent of the page, as for files; or else to the page itself, as if it were the README of a folder.
 */
export const resolvePath = (index: PageIndex, fromPath: string, url: string): RelativeTarget => {
  const [, path = "", , anchor = ""] = /^([^?#]*)(\?[^#]*)?(?:#([\s\S]*))?$/.exec(url) ?? []
  const segments = decodePart(path).split("/")
  const starts = path.startsWith("/") ? [[]] : foldersOf(fromPath)
  for (const start of starts) {
    const resolved = resolveSegments(start, segments)
    if (resolved === undefined) continue
    const pagePath = pagePathOf(resolved)
    const found = pagePath === "" ? index.first && { page: index.first } : index.byPath.get(pagePath)
    if (found !== undefined) return { page: found.page, anchor: decodePart(anchor) }
  }
  const file = index.fileByName.get(segments.at(-1) ?? "")
  return file === undefined ? undefined : { file }
}
