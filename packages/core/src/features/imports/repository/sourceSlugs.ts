/** Slugs of imported pages, and the report of the URLs that differ from the source. */

import { hasSlug, type Tree } from "@lectern/content"
import {
  type RepositoryLayout,
  type RepositoryNode,
  type Skipped,
  slugsOfFile,
  sourceSlugOfFile
} from "@lectern/formats"
import type { StorageUnavailable } from "@lectern/kernel"
import type { PageRecord } from "@lectern/kernel/tables"
import { freeAmong, servableSlug, slugOf, slugOfGroup, slugOfName, withSuffix } from "@lectern/markdown/text"
import type { PageId } from "@lectern/model/content"
import { Effect } from "effect"
import type { ImportChange } from "../../content/edit/importChanges.ts"

/**
 * Returns the slugs that imports derive for a node without a file, the current one first. Earlier versions derived the others,
 * and the pages that they have imported retain them.
 */
export const slugsWithoutFile = (
  node: RepositoryNode
): readonly [current: string, ...former: ReadonlyArray<string>] => {
  if (node.slug !== undefined) return [servableSlug(node.slug), node.slug]
  const folder = node.folder?.split("/").at(-1)
  const current = folder === undefined ? slugOfGroup(node.title) : slugOfName(folder)
  return [servableSlug(current), slugOf(folder ?? node.title, "page")]
}

/** The slugs that imports derive for a node, the current one first. */
const slugsOfNode = (layout: RepositoryLayout, node: RepositoryNode) =>
  node.path === undefined ? slugsWithoutFile(node) : slugsOfFile(layout, node.path, node.title)

/** Whether a node is the first page, and no other URL has its slug. */
const isHome = (
  layout: RepositoryLayout,
  node: RepositoryNode,
  next: RepositoryNode | undefined,
  index: number
): boolean => node.path === layout.readmePath && node.parent === undefined && next?.parent !== index

/**
 * Returns the slug that an import requests for the node at an index: the written one, or the one that is derived from the path or
 * the title. An existing page keeps the slug that an earlier version has derived for it.
 */
export const requestedSlug = (
  layout: RepositoryLayout,
  nodes: ReadonlyArray<RepositoryNode>,
  index: number,
  written: string | undefined,
  known: PageRecord | undefined
): string | undefined => {
  const node = nodes[index]!
  if (node.type !== "document" && node.type !== "group") return undefined
  if (written !== undefined && written !== "")
    return written === known?.slug ? written : servableSlug(written)
  const [current, ...former] = slugsOfNode(layout, node)
  if (isHome(layout, node, nodes[index + 1], index)) return known?.slug ?? slugOf(node.title, "page")
  return known !== undefined && former.includes(known.slug) ? known.slug : current
}

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
