/** The report of the URLs of imported pages that differ from the source. */

import { hasSlug, type Tree } from "@lectern/content"
import {
  isHome,
  type RepositoryLayout,
  type RepositoryNode,
  type Skipped,
  sourceSlugOfFile
} from "@lectern/formats"
import type { StorageUnavailable } from "@lectern/kernel"
import { freeAmong, slugOfGroup, slugOfName, withSuffix } from "@lectern/markdown/text"
import type { PageId } from "@lectern/model/content"
import { Effect } from "effect"
import type { ImportChange } from "../../content/edit/importChanges.ts"

/** Creates the function that returns the slug which a new page gets below a parent. */
const makeFreeSlugs = (tree: Tree) => {
  const taken = new Map<PageId | "", Set<string>>()
  /** The first suffix that can be free, by the parent and the slug without it: many siblings can have the same title. */
  const numbers = new Map<string, number>()
  return Effect.fnUntraced(function* (
    parent: PageId | "",
    wanted: string
  ): Effect.fn.Return<string, StorageUnavailable> {
    const siblings = taken.get(parent) ?? new Set<string>()
    taken.set(parent, siblings)
    const key = `${parent}/${wanted}`
    let number = numbers.get(key) ?? 0
    let slug = number === 0 ? wanted : withSuffix(wanted, number)
    while (siblings.has(slug) || (yield* tree.bySlug(parent, slug)) !== undefined) {
      slug = withSuffix(wanted, ++number)
    }
    numbers.set(key, number)
    siblings.add(slug)
    return slug
  })
}

/** A planned node with the id of its page. */
interface PlannedNode {
  readonly node: RepositoryNode
  readonly id: PageId
}

/**
 * Returns an entry for every page whose path differs from its path in the source: because of a sibling, of a document that the
 * reader serves there, or because the page existed and has another slug or place.
 */
export const changedUrls = Effect.fnUntraced(function* (
  layout: RepositoryLayout,
  nodes: ReadonlyArray<PlannedNode>,
  changes: ReadonlyArray<ImportChange>,
  tree: Tree
): Effect.fn.Return<ReadonlyArray<Skipped>, StorageUnavailable> {
  const changeOf = new Map(
    changes.flatMap((change) => (change.operation === "import_page" ? [[change.page, change] as const] : []))
  )
  const takenInSource = new Map<number | undefined, Set<string>>()
  const freeInTarget = makeFreeSlugs(tree)
  const sourcePaths: Array<string> = []
  const paths = new Map<PageId | "", string>([["", ""]])
  const report: Array<Skipped> = []
  for (const [index, { node, id }] of nodes.entries()) {
    const above = node.parent === undefined ? "" : sourcePaths[node.parent]!
    if (!hasSlug(node)) {
      sourcePaths.push(above)
      continue
    }
    const inSource = takenInSource.get(node.parent) ?? new Set<string>()
    takenInSource.set(node.parent, inSource)
    const own =
      node.path === undefined ? (node.slug ?? sourceSlugOf(node)) : sourceSlugOfFile(layout, node.path)
    const sourceSlug = freeAmong(inSource, own)
    inSource.add(sourceSlug)
    const sourcePath = `${above}/${sourceSlug}`
    sourcePaths.push(sourcePath)

    const existing = yield* tree.page(id)
    let path: string
    if (existing === undefined) {
      const parent = node.parent === undefined ? "" : nodes[node.parent]!.id
      const slug = yield* freeInTarget(parent, changeOf.get(id)?.slug ?? own)
      path = `${paths.get(parent)!}/${slug}`
    } else {
      const ancestors = yield* tree.above(existing)
      path = [...ancestors.map(({ page }) => page.slug).toReversed(), existing.slug]
        .map((slug) => `/${slug}`)
        .join("")
    }
    paths.set(id, path)
    if (path === sourcePath || isHome(layout, node, nodes[index + 1]?.node, index)) continue
    report.push({
      kind: "entry",
      resource: node.path ?? node.title,
      reason: `The URL of the page ends with ${path}; in the source, it ends with ${sourcePath}.`
    })
  }
  return report
})

const sourceSlugOf = ({ title, folder }: RepositoryNode): string =>
  folder === undefined ? slugOfGroup(title) : slugOfName(folder.split("/").at(-1)!)
