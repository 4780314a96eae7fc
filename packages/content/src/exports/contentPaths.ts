/** Assigns paths in a repository to the pages, files and reusable contents of a tree. Imported content keeps its paths. */

import {
  configurationPath,
  isFolderPage,
  markdownExtension,
  type RepositoryLayout,
  readLayout,
  relativePathOf
} from "@lectern/formats"
import type { StorageUnavailable } from "@lectern/kernel"
import type { FileRecord, PageRecord, Placed, ReusableContentRecord } from "@lectern/kernel/tables"
import { slugOf } from "@lectern/markdown/text"
import type { FileId, PageId, ReusableContentId } from "@lectern/model/content"
import { Effect } from "effect"
import type { Tree } from "../Tree.ts"

/** A page with its path in the repository. */
export interface LocatedPage extends Placed {
  /** The path of a document. */
  readonly path?: string
  /** The folder that an imported document without a file represents. */
  readonly folder?: string
  /** The index of the parent in the list; undefined at the root. */
  readonly parent: number | undefined
}

/** The content of a tree with its paths. */
export interface LocatedContent {
  readonly layout: RepositoryLayout
  /** The pages in reading order: parents come before their children. */
  readonly pages: ReadonlyArray<LocatedPage>
  readonly files: ReadonlyMap<string, { readonly id: FileId; readonly record: FileRecord }>
  readonly includes: ReadonlyMap<
    string,
    { readonly id: ReusableContentId; readonly record: ReusableContentRecord }
  >
  /** Returns the path of the file that a stored link leads to, as in `/pages/{id}`; undefined if it does not exist. */
  readonly pathOfLink: (link: string) => string | undefined
  /** Returns the stored link to the file at a path. */
  readonly linkOfPath: (path: string) => string | undefined
}

const isSafePath = (path: string): boolean =>
  path.length <= 1000 && !path.split("/").some((part) => part === "" || part === "." || part === "..")

/** Returns the folder of a path with a final slash; empty at the root. */
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1)

/** Returns a name that is not hidden, and not a part of a path. */
const safeName = (name: string): string => (name.startsWith(".") ? `_${name}` : name)

/** The pages of a tree in reading order, with the index of their parents. */
const inReadingOrder = (
  all: ReadonlyArray<Placed>
): ReadonlyArray<Placed & { parent: number | undefined }> => {
  const children = new Map<string, Array<Placed>>()
  for (const placed of all) {
    const siblings = children.get(placed.page.parent)
    if (siblings === undefined) children.set(placed.page.parent, [placed])
    else siblings.push(placed)
  }
  for (const siblings of children.values()) {
    siblings.sort(({ page: a, id: first }, { page: b, id: second }) =>
      a.position === b.position ? (first < second ? -1 : 1) : a.position < b.position ? -1 : 1
    )
  }
  const ordered: Array<Placed & { parent: number | undefined }> = []
  const visit = (id: PageId | "", parent: number | undefined): void => {
    for (const placed of children.get(id) ?? []) {
      const index = ordered.push({ ...placed, parent }) - 1
      visit(placed.id, index)
    }
  }
  visit("", undefined)
  return ordered
}

/** Returns the path that an imported page had; undefined for pages of other origins. */
const importedPathOf = ({
  git,
  imported,
  source
}: PageRecord | ReusableContentRecord): string | undefined => {
  const path = git?.path ?? (source === undefined ? undefined : imported?.resource)
  return path !== undefined && markdownExtension.test(path) && isSafePath(path) ? path : undefined
}

/** Assigns the paths of the content of a tree. `configuration` is the text of the configuration of its repository. */
export const assignPaths = Effect.fnUntraced(function* (
  tree: Tree,
  configuration: string | undefined
): Effect.fn.Return<LocatedContent, StorageUnavailable> {
  const ordered = inReadingOrder(yield* tree.pages)
  const files = yield* tree.files()
  const contents = yield* tree.reusableContents
  const sources = yield* tree.sources
  const importedPaths = ordered.flatMap(({ page }) => importedPathOf(page) ?? [])
  const layout = readLayout(configuration, [...sources.map(([path]) => path), ...importedPaths])

  // Paths are compared without case, because some file systems do not distinguish it.
  const taken = new Set([configurationPath, layout.summaryPath].map((path) => path.toLowerCase()))
  for (const [path] of sources) taken.add(path.toLowerCase())
  const claim = (path: string): boolean => {
    if (taken.has(path.toLowerCase())) return false
    taken.add(path.toLowerCase())
    return true
  }
  const claimFree = (folder: string, name: string, end: string): string => {
    for (let number = 0; ; number++) {
      const path = `${folder}${name}${number === 0 ? "" : `-${number}`}${end}`
      if (claim(path)) return path
    }
  }

  const kept = new Map<PageId, string>()
  for (const { id, page } of ordered) {
    const path = page.type === "document" ? importedPathOf(page) : undefined
    if (path !== undefined && claim(path)) kept.set(id, path)
  }
  const hasReadme = taken.has(layout.readmePath.toLowerCase())
  const parents = new Set(ordered.flatMap(({ parent }) => parent ?? []))
  /** The folders of the pages below each page. */
  const folders: Array<string> = []
  let isFirst = !hasReadme
  const pages = ordered.map((placed, index): LocatedPage => {
    const { id, page, parent } = placed
    const above = parent === undefined ? layout.root : folders[parent]!
    if (page.type === "group") {
      folders.push(`${above}${safeName(page.slug)}/`)
      return placed
    }
    if (page.type !== "document") {
      folders.push(above)
      return placed
    }
    const resource = page.imported?.resource ?? ""
    if (
      resource.endsWith("/") &&
      page.source === undefined &&
      page.body === undefined &&
      isSafePath(resource.slice(0, -1))
    ) {
      folders.push(resource)
      return { ...placed, folder: resource.slice(0, -1) }
    }
    let path = kept.get(id)
    if (path === undefined) {
      const isReadme = isFirst && parent === undefined && claim(layout.readmePath)
      path = isReadme
        ? layout.readmePath
        : parents.has(index)
          ? claimFree(above, safeName(page.slug), "/README.md")
          : claimFree(above, safeName(page.slug), ".md")
    }
    if (parent === undefined) isFirst = false
    folders.push(
      isFolderPage(path) || path === layout.readmePath
        ? folderOf(path)
        : `${path.replace(markdownExtension, "")}/`
    )
    return { ...placed, path }
  })

  const links = new Map<string, string>()
  const paths = new Map<string, string>()
  const connect = (link: string, path: string): void => {
    links.set(link, path)
    paths.set(path, link)
  }
  for (const { id, path } of pages) if (path !== undefined) connect(`/pages/${id}`, path)
  const locatedFiles = new Map<string, { readonly id: FileId; readonly record: FileRecord }>()
  for (const [id, record] of files.toReversed()) {
    const known = record.git?.path
    const isKept = known !== undefined && isSafePath(known) && !markdownExtension.test(known) && claim(known)
    const path = isKept ? known : claimAsset(record.name)
    locatedFiles.set(path, { id, record })
    connect(`/files/${id}`, path)
  }
  /** Files of the same name are in folders of their own, so that their names stay. */
  function claimAsset(name: string): string {
    const folder = `${layout.root}.gitbook/assets/`
    const file = name === "." || name === ".." ? "file" : name
    for (let number = 1; ; number++) {
      const path = number === 1 ? folder + file : `${folder}${number}/${file}`
      if (claim(path)) return path
    }
  }
  const includes = new Map<
    string,
    { readonly id: ReusableContentId; readonly record: ReusableContentRecord }
  >()
  for (const [id, record] of contents) {
    const known = importedPathOf(record)
    const path =
      known !== undefined && claim(known)
        ? known
        : claimFree(`${layout.root}.gitbook/includes/`, safeName(slugOf(record.title, "content")), ".md")
    includes.set(path, { id, record })
    connect(`/reusable-contents/${id}`, path)
  }
  return {
    layout,
    pages,
    files: locatedFiles,
    includes,
    pathOfLink: (link) => links.get(link),
    linkOfPath: (path) => paths.get(path)
  }
})

/** Returns the path of a file relative to the folder of another file, as a link destination. */
export const relativePath = (from: string, to: string): string =>
  relativePathOf(from, to).replaceAll(/[%?#]/g, encodeURIComponent)
