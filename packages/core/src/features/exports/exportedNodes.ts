/** Converts the pages of a tree to the nodes of a repository, and compares them with the nodes that an import creates. */

import type { LocatedContent, LocatedPage, SluggedNode } from "@lectern/content"
import { type NodeSettings, type NodeTarget, type RepositoryNode, slugsWithoutFile } from "@lectern/formats"
import { freeAmong } from "@lectern/markdown/text"
import type { ContentRef } from "@lectern/model/content"
import { isEqualRecord } from "../imports/repository/fileContent.ts"
import { isHiddenUnlisted } from "../imports/repository/unlistedPages.ts"

const settingsOf = ({ page }: LocatedPage): { readonly settings?: NodeSettings } => {
  const { emoji, icon, hidden, condition, noIndex, noRobotsIndex } = page
  const settings = Object.fromEntries(
    Object.entries({ emoji, icon, hidden, condition, noIndex, noRobotsIndex }).filter(
      ([, value]) => value !== undefined
    )
  )
  return Object.keys(settings).length === 0 ? {} : { settings }
}

const nodeTargetOf = (target: ContentRef, { pathOfLink }: LocatedContent): NodeTarget => {
  if (target.kind === "url") return { url: target.url }
  if ("space" in target && target.space !== undefined) return { ref: target }
  const path =
    target.kind === "page"
      ? pathOfLink(`/pages/${target.page}`)
      : target.kind === "file"
        ? pathOfLink(`/files/${target.file}`)
        : target.kind === "anchor" && target.page !== undefined
          ? pathOfLink(`/pages/${target.page}`)
          : undefined
  if (path === undefined) return { ref: target }
  return target.kind === "anchor" ? { path, anchor: target.anchor } : { path }
}

/**
 * Returns the content without the pages that an import hides because `listed`, the pages of the table of contents, lacks them.
 * A page with another page below it stays.
 */
export const withoutUnlisted = (content: LocatedContent, listed: ReadonlySet<string>): LocatedContent => {
  const { pages } = content
  const isNeeded = pages.map(
    ({ page, path }) => path === undefined || listed.has(path) || !isHiddenUnlisted(page)
  )
  // Children come after their parents.
  for (let index = pages.length - 1; index >= 0; index--) {
    const parent = pages[index]!.parent
    if (isNeeded[index] === true && parent !== undefined) isNeeded[parent] = true
  }
  const indexes: Array<number> = []
  let count = 0
  for (const needed of isNeeded) indexes.push(needed ? count++ : -1)
  return {
    ...content,
    pages: pages.flatMap((placed, index) =>
      isNeeded[index] === true
        ? [{ ...placed, parent: placed.parent === undefined ? undefined : indexes[placed.parent]! }]
        : []
    )
  }
}

/** Converts the pages of a tree to nodes. Settings of documents are in their files. */
export const nodesOf = (content: LocatedContent, withFolders: boolean): ReadonlyArray<SluggedNode> =>
  content.pages.map((placed): SluggedNode => {
    const { page, path, folder, parent } = placed
    return {
      type: page.type,
      title: page.title,
      parent,
      actualSlug: page.slug,
      ...(page.type === "document"
        ? folder === undefined
          ? { path: path! }
          : withFolders
            ? { folder }
            : { path: `${folder}/README.md` }
        : settingsOf(placed)),
      ...(page.target === undefined ? {} : { target: nodeTargetOf(page.target, content) }),
      ...(page.computed === undefined ? {} : { computed: page.computed })
    }
  })

/** Whether an import of planned nodes creates these nodes. Slugs of documents can be requested by their files. */
export const isSameTree = (
  planned: ReadonlyArray<RepositoryNode>,
  current: ReadonlyArray<SluggedNode>
): boolean => {
  const comparable = ({ slug: _, ...node }: RepositoryNode) => node
  if (planned.length !== current.length) return false
  const taken = new Map<number | undefined, Set<string>>()
  return planned.every((node, index) => {
    const { actualSlug, ...other } = current[index]!
    if (!isEqualRecord(comparable(node), comparable(other))) return false
    const siblings = taken.get(node.parent) ?? new Set<string>()
    taken.set(node.parent, siblings)
    const isWithoutFile = node.type === "group" || node.folder !== undefined
    const isSame =
      !isWithoutFile || slugsWithoutFile(node).some((slug) => freeAmong(siblings, slug) === actualSlug)
    siblings.add(actualSlug)
    return isSame
  })
}
