/** Reads the tree of an export from Outline in Markdown: a folder for each collection, and for the pages below a page. */

import { slugOfName } from "@lectern/markdown/text"
import type { ReadSourceTree } from "../../conversion/SourceTree.ts"
import { treeBounds } from "../../conversion/SourceTree.ts"
import { nameOrder } from "../../repository/nodes.ts"
import { folderBelow, type OpenEntry, TreeBuilder } from "../support/TreeBuilder.ts"
import { headingOf } from "../support/values.ts"

/** Reads the tree of an export from Outline. */
export const readOutline: ReadSourceTree = ({ paths, texts }) => {
  const builder = new TreeBuilder()
  const sources = paths.filter(
    (path) => /\.md$/i.test(path) && !/(?:^|\/)(?:uploads|public|attachments)\//.test(path)
  )
  const bySource = new Map(sources.map((path) => [path.replace(/\.md$/i, ""), path]))
  const known = new Set(bySource.keys())
  const children = new Map<string, Array<string>>()
  const folders = new Set<string>()
  const addChild = (parent: string, child: string): void => {
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [child])
    else siblings.push(child)
  }
  for (const stem of known) {
    const parts = stem.split("/")
    for (let length = 1; length <= Math.min(parts.length, treeBounds.depth); length++) {
      const path = parts.slice(0, length).join("/")
      const isPage = length === parts.length
      if (!isPage && (known.has(path) || folders.has(path))) continue
      if (!isPage) folders.add(path)
      addChild(parts.slice(0, length - 1).join("/"), path)
    }
    if (parts.length > treeBounds.depth) addChild(parts.slice(0, treeBounds.depth).join("/"), stem)
  }
  const visit = (stem: string, above: OpenEntry | undefined, folder: string): void => {
    const siblings = (children.get(stem) ?? []).toSorted((a, b) => nameOrder.compare(a, b))
    for (const child of siblings) {
      const name = child.split("/").at(-1)!
      if (!known.has(child)) {
        const entry = builder.placeSection(above, { title: name, folder })
        if (entry !== undefined) visit(child, entry, folder)
        continue
      }
      const source = bySource.get(child)!
      const title = headingOf(texts.get(source) ?? "") ?? name
      const path = builder.add({
        path: builder.freePath(folder + (slugOfName(name) || "page")),
        source,
        title
      })
      const entry = builder.place(above, { title, path })
      if (entry !== undefined) visit(child, entry, folderBelow(path))
    }
  }
  visit("", undefined, "")
  if (paths.some((path) => /(?:^|\/)metadata\.json$/.test(path)) && sources.length === 0) {
    builder.report("entry", "metadata.json", "The export is JSON: export Markdown from Outline instead.")
  } else if (sources.length > 0) {
    builder.report(
      "entry",
      "order",
      "The export does not contain the order of documents: they are in the order of their names."
    )
  }
  return builder.finish()
}
