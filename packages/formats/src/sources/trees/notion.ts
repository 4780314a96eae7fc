/** Reads the tree of an export from Notion: files whose names end with ids, and databases in CSV. */

import { decodeReferences } from "@lectern/markdown/document"
import { slugOfName } from "@lectern/markdown/text"
import type { ReadSourceTree } from "../../conversion/SourceTree.ts"
import { treeBounds } from "../../conversion/SourceTree.ts"
import { notionId } from "../support/notionId.ts"
import { folderBelow, type OpenEntry, TreeBuilder } from "../support/TreeBuilder.ts"
import { headingOf, textOf } from "../support/values.ts"

/** A page or a database of the export. */
interface Node {
  readonly source: string
  /** The path without its extension and the ids, which is the folder of the pages below it. */
  readonly key: string
  readonly id: string | undefined
  readonly title: string
}

const withoutId = (name: string): string => name.replace(notionId, "")
const withoutExtension = (path: string): string => path.replace(/(?:_all)?\.(?:md|html|csv)$/i, "")

/** Returns the key of a path: exports have folders with and without ids. */
const keyOf = (path: string): string =>
  withoutExtension(path)
    .split("/")
    .map((part) => withoutId(part).trim())
    .join("/")

const titleOf = (source: string, text: string): string => {
  const name = withoutId(withoutExtension(source.split("/").at(-1)!)).trim()
  // Names of files are truncated, and lack characters; the page has its whole title.
  const own = /\.html$/i.test(source)
    ? textOf(decodeReferences(/<title>([^<]{1,1000})<\/title>/i.exec(text.slice(0, 20_000))?.[1] ?? ""))
    : /\.md$/i.test(source)
      ? headingOf(text)
      : undefined
  return own ?? (name === "" ? "Untitled" : name)
}

/** Returns the positions of the links in a page, by the decoded paths that they end with: children are in the order of links. */
const linkOrder = (text: string): ReadonlyMap<string, number> => {
  const order = new Map<string, number>()
  for (const found of text.matchAll(/(?:\]\(|href=")([^)"\s]{1,1000})/g)) {
    let path = found[1]!
    try {
      path = decodeURIComponent(path)
    } catch {
      // A link with an invalid escape is compared as it is.
    }
    const name = path.split("/").at(-1)!
    if (!order.has(name)) order.set(name, found.index)
  }
  return order
}

/** Reads the tree of an export from Notion. */
export const readNotion: ReadSourceTree = ({ paths, texts }) => {
  const builder = new TreeBuilder()
  const nodes = new Map<string, Node>()
  const allPaths = new Set(paths)
  const sources = paths.filter(
    (path) =>
      /\.(?:md|html|csv)$/i.test(path) && !(/(?:^|\/)index\.html$/i.test(path) && path.split("/").length <= 2)
  )
  for (const source of sources) {
    const key = keyOf(source)
    const id = notionId.exec(source.split("/").at(-1)!)?.[1]?.toLowerCase()
    const isDatabase = /\.csv$/i.test(source)
    // A database has a file with its visible rows, and one with all of them.
    if (isDatabase && !/_all\.csv$/i.test(source) && allPaths.has(source.replace(/\.csv$/i, "_all.csv")))
      continue
    const unique = nodes.has(key) ? `${key} ${id ?? source}` : key
    nodes.set(unique, { source, key: unique, id, title: titleOf(source, texts.get(source) ?? "") })
  }
  const parentOf = ({ key }: Node): string => {
    const parts = key.split("/")
    for (let length = Math.min(parts.length - 1, treeBounds.depth); length > 0; length--) {
      const above = parts.slice(0, length).join("/")
      if (nodes.has(above)) return above
    }
    return ""
  }
  const children = Map.groupBy(nodes.values(), parentOf)
  const visit = (parent: Node | undefined, above: OpenEntry | undefined, folder: string): void => {
    const order = linkOrder(texts.get(parent?.source ?? "") ?? "")
    const rank = ({ source }: Node): number =>
      order.get(source.split("/").at(-1)!) ??
      order.get(source.split("/").at(-1)!.replace("_all.csv", ".csv")) ??
      Number.POSITIVE_INFINITY
    const siblings = (children.get(parent?.key ?? "") ?? []).toSorted((a, b) =>
      rank(a) === rank(b) ? (a.source < b.source ? -1 : 1) : rank(a) - rank(b)
    )
    for (const node of siblings) {
      const slug = slugOfName(withoutId(node.key.split("/").at(-1)!).trim()) || "page"
      const path = builder.add({
        path: builder.freePath(folder + slug),
        source: node.source,
        title: node.title
      })
      if (node.id !== undefined) builder.alias(`notion-id/${node.id}`, path)
      builder.alias(node.source.replace("_all.csv", ".csv"), path)
      const entry = builder.place(above, { title: node.title, path })
      if (entry !== undefined) visit(node, entry, folderBelow(path))
    }
  }
  visit(undefined, undefined, "")
  return builder.finish()
}
