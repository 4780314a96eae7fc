/** Finds the content of a tree by the paths that its files have in a repository. */

import { assignPaths, type Tree } from "@lectern/content"
import { configurationPath, keysOfNodes } from "@lectern/formats"
import type { StorageUnavailable } from "@lectern/kernel"
import type { PageRecord } from "@lectern/kernel/tables"
import type { PageId } from "@lectern/model/content"
import { Effect } from "effect"
import type { ContentStore } from "../content/ContentStore.ts"
import { nodesOf } from "../exports/exportedNodes.ts"
import type { EarlierContent } from "../imports/repository/planRepository.ts"

/** The content of a tree by paths, with all paths that an export of the tree writes. */
export interface PlacedContent extends EarlierContent {
  readonly paths: ReadonlySet<string>
}

/** Returns the content of a tree by the keys and paths of its export. */
export const findPlaced = Effect.fnUntraced(function* (
  store: ContentStore["Service"],
  tree: Tree
): Effect.fn.Return<PlacedContent, StorageUnavailable> {
  const source = yield* tree.source(configurationPath)
  const configuration = source === undefined ? undefined : yield* store.files.readWhole(source.hash)
  const located = yield* assignPaths(
    tree,
    configuration === undefined ? undefined : new TextDecoder().decode(configuration)
  )
  const pages = new Map<string, { readonly id: PageId; readonly page: PageRecord }>()
  const keys = keysOfNodes(nodesOf(located, true))
  const paths = new Set<string>([located.layout.summaryPath])
  for (const [index, { id, page, path, folder }] of located.pages.entries()) {
    pages.set(keys[index]!, { id, page })
    // A folder without a page becomes one if the table of contents changes.
    if (folder !== undefined) pages.set(`${folder}/README.md`, { id, page })
    if (path !== undefined) paths.add(path)
  }
  for (const path of [...located.files.keys(), ...located.includes.keys()]) paths.add(path)
  const sources = new Map((yield* tree.sources).map(([path, { hash }]) => [path, hash]))
  for (const path of sources.keys()) paths.add(path)
  return { pages, files: located.files, includes: located.includes, sources, paths }
})
