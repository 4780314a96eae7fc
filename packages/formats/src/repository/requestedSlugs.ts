/** The slugs that imports request for the nodes of a repository. */
import { servableSlug, slugOf, slugOfGroup, slugOfName } from "@lectern/markdown/text"
import { type RepositoryLayout, slugsOfFile } from "./layout.ts"
import type { RepositoryNode } from "./nodes.ts"

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
export const isHome = (
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
  known: { readonly slug: string } | undefined
): string | undefined => {
  const node = nodes[index]!
  if (node.type !== "document" && node.type !== "group") return undefined
  if (written !== undefined && written !== "")
    return written === known?.slug ? written : servableSlug(written)
  const [current, ...former] = slugsOfNode(layout, node)
  if (isHome(layout, node, nodes[index + 1], index)) return known?.slug ?? slugOf(node.title, "page")
  return known !== undefined && former.includes(known.slug) ? known.slug : current
}
