/** Builds the entries of pages from their folders. */

import { treeBounds } from "../../conversion/SourceTree.ts"
import { nameOrder, titleOfName } from "../../repository/nodes.ts"
import type { OpenEntry, TreeBuilder } from "../support/TreeBuilder.ts"

/** Whether a file is the page of its folder. */
const isIndex = (name: string): boolean => /^(?:index|readme)\.\w+$/i.test(name)

interface Folder {
  readonly pages: Array<string>
  readonly folders: Map<string, Folder>
}

/** How pages are placed. */
interface Placing {
  /** The entry that they are placed below, with its path; the root by default. Its page is not placed again. */
  readonly parent?: { readonly entry: OpenEntry; readonly path: string; readonly page: string | undefined }
  /** The position of a file or folder of the folder by its name, before the order of names. */
  readonly rankOf?: (name: string) => number
}

/**
 * Places the pages at paths below a folder. The index of a folder is the page of its entry; a folder without one is a group at the
 * root, and an empty page below it.
 */
export const placeByFolders = (
  builder: TreeBuilder,
  sources: ReadonlyArray<string>,
  root: string,
  { parent: above, rankOf = () => 0 }: Placing = {}
): void => {
  const top: Folder = { pages: [], folders: new Map() }
  for (const source of sources) {
    let folder = top
    const parts = source.slice(root.length).split("/")
    for (const part of parts.slice(0, Math.min(-1 + parts.length, treeBounds.depth))) {
      const next = folder.folders.get(part) ?? { pages: [], folders: new Map() }
      folder.folders.set(part, next)
      folder = next
    }
    folder.pages.push(source)
  }
  const nameOf = (source: string): string => source.split("/").at(-1)!
  const visit = (
    folder: Folder,
    parent: OpenEntry | undefined,
    path: string,
    own: string | undefined
  ): void => {
    const children = [
      ...folder.pages.filter((source) => source !== own).map((source) => ({ name: nameOf(source), source })),
      ...[...folder.folders.keys()].map((name) => ({ name, source: undefined }))
    ].toSorted(
      (a, b) =>
        Number(isIndex(b.name)) - Number(isIndex(a.name)) ||
        (folder === top ? rankOf(a.name) - rankOf(b.name) : 0) ||
        nameOrder.compare(a.name, b.name)
    )
    for (const { name, source } of children) {
      if (source !== undefined) {
        const page = builder.pathOf(source)!
        builder.place(parent, { title: builder.titleOf(page) ?? name, path: page })
        continue
      }
      const inner = folder.folders.get(name)!
      const index = inner.pages.find((one) => isIndex(nameOf(one)))
      const page = index === undefined ? undefined : builder.pathOf(index)
      const title = (page === undefined ? undefined : builder.titleOf(page)) ?? titleOfName(name)
      const entry = builder.placeSection(parent, { title, page, folder: path })
      if (entry !== undefined) visit(inner, entry, `${path}${name}/`, index)
    }
  }
  visit(top, above?.entry, above?.path ?? "", above?.page)
}
