/** Resolves links to pages by their paths, as pages of a Git repository refer to each other: `../guide/setup.md#steps`. */

import type { PageRecord, Placed } from "@lectern/kernel/tables"
import { unescaped } from "@lectern/model/schema"

/** Returns the path of a page from the path of its parent, which is empty at the root. */
export const pathOf = (parentPath: string, { slug }: Pick<PageRecord, "slug">): string =>
  parentPath === "" ? slug : `${parentPath}/${slug}`

/** The paths of the pages of content. */
export interface PagePaths {
  /** The ids of pages by path. */
  readonly pageByPath: ReadonlyMap<string, string>
  /** The paths of pages by id. */
  readonly pathOf: ReadonlyMap<string, string>
}

/** Computes the paths of pages in linear time. */
export const pathsOfPages = (pages: ReadonlyArray<Placed>): PagePaths => {
  const byId = new Map<string, PageRecord>(pages.map(({ id, page }) => [id, page]))
  const paths = new Map<string, string>()
  const pathTo = (id: string, depth = 0): string => {
    const path = paths.get(id)
    const page = byId.get(id)
    if (path !== undefined || page === undefined || depth > byId.size) return path ?? ""
    const computed = pathOf(page.parent === "" ? "" : pathTo(page.parent, depth + 1), page)
    paths.set(id, computed)
    return computed
  }
  return { pageByPath: new Map(pages.map(({ id }) => [pathTo(id), id])), pathOf: paths }
}

/** A link with a path. */
export interface PathLink {
  /** The segments of the path, decoded. */
  readonly segments: ReadonlyArray<string>
  readonly isAbsolute: boolean
  /** The query with its question mark, and the fragment with its number sign, as they are written. */
  readonly suffix: string
  /** The fragment without its number sign. */
  readonly anchor: string
}

/** Parses a relative URL; undefined for URLs with a scheme, an authority or no path. */
export const parsePathLink = (url: string): PathLink | undefined => {
  if (/^[a-z][a-z0-9+.-]*:/i.test(url) || url.startsWith("//")) return undefined
  const [, path = "", query = "", , anchor = ""] = /^([^?#]*)(\?[^#]*)?(#([\s\S]*))?$/.exec(url) ?? []
  if (path === "") return undefined
  const suffix = query + (url.includes("#") ? `#${anchor}` : "")
  return { segments: unescaped(path).split("/"), isAbsolute: path.startsWith("/"), suffix, anchor }
}

/** Resolves the segments of a relative URL; undefined if they go above the root. */
export const resolveSegments = (
  base: ReadonlyArray<string>,
  relative: ReadonlyArray<string>
): ReadonlyArray<string> | undefined => {
  const resolved = [...base]
  for (const segment of relative) {
    if (segment === "" || segment === ".") continue
    if (segment !== "..") resolved.push(segment)
    else if (resolved.pop() === undefined) return undefined
  }
  return resolved
}

/** Converts the path of a Markdown file to that of a page: `guide/README.md` to `guide`. */
export const pagePathOf = (segments: ReadonlyArray<string>): string =>
  segments
    .join("/")
    .replace(/\.(md|mdx|markdown|html?)$/i, "")
    .replace(/(^|\/)(readme|index)$/i, "")

/**
 * The folders that the links of a page with a path are relative to: that of its file, or else the folder of which it
 * would be the README.
 */
export const foldersOf = (path: string): ReadonlyArray<ReadonlyArray<string>> => {
  const segments = path.split("/").filter((segment) => segment !== "")
  return [segments.slice(0, -1), segments]
}

/** Returns the page that a link in a page with the path `from` refers to, with the index of the folder. */
export const resolvePathLink = (
  { pageByPath }: Pick<PagePaths, "pageByPath">,
  from: string,
  { segments, isAbsolute }: Pick<PathLink, "segments" | "isAbsolute">
): { readonly page: string; readonly folder: number } | undefined => {
  for (const [folder, start] of (isAbsolute ? [[]] : foldersOf(from)).entries()) {
    const resolved = resolveSegments(start, segments)
    const page = resolved === undefined ? undefined : pageByPath.get(pagePathOf(resolved))
    if (page !== undefined) return { page, folder }
  }
  return undefined
}
