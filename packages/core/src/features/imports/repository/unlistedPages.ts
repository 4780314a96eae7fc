/**
 * Files that the table of contents of a repository does not list. Files that the content links to become pages that are hidden
 * and not indexed, the others are retained for exports.
 */

import type { RepositoryNode } from "@lectern/formats"
import type { PageRecord } from "@lectern/kernel/tables"
import type { PageSettings } from "../../content/edit/importChanges.ts"

/** The problem of a file that becomes a hidden page, in the report of an import. */
export const hiddenReason =
  "The table of contents does not list the page. It is imported as a hidden page that is not indexed, because the content links to it."

/** The problem of a page that an earlier import has made visible, in the report of an import. */
export const visibleReason =
  "The table of contents does not list the page. It stays visible, because it was imported before."

/** The problem of a file that does not become a page, in the report of an import. */
export const retainedReason =
  "Neither the table of contents nor a page refers to the file. It is not imported as a page, and exports contain it."

/** The settings that make an unlisted page unavailable without a link to it. */
export const unlistedSettings = { hidden: true, noIndex: true } as const

/** Whether a page is one that an import has hidden because the table of contents does not list it. */
export const isHiddenUnlisted = ({ imported, source, hidden, noIndex }: PageRecord): boolean =>
  imported?.isUnlisted === true && source !== undefined && hidden === true && noIndex === true

/**
 * Whether the table of contents of an export can lack a visible page: one that was imported before imports hid unlisted pages.
 * Pages that were created or made visible in the space are listed.
 */
export const isVisibleUnlisted = ({ imported, source }: PageRecord): boolean =>
  source !== undefined && imported?.isUnlisted !== true

/**
 * Returns the settings of an unlisted page: hidden and not indexed for a new page, and for one that the table of contents
 * no longer lists. Other existing pages keep their visibility.
 */
export const placeUnlisted = (
  settings: PageSettings,
  known: PageRecord | undefined,
  wasListed: boolean
): { readonly settings: PageSettings; readonly isUnlisted?: true } => {
  if (known === undefined || wasListed) {
    return { settings: { ...settings, ...unlistedSettings }, isUnlisted: true }
  }
  return {
    settings: {
      ...settings,
      ...(known.hidden === true ? { hidden: true } : {}),
      ...(known.noIndex === true ? { noIndex: true } : {})
    },
    ...(known.imported?.isUnlisted === true ? { isUnlisted: true } : {})
  }
}

/** Returns the nodes of a tree that are imported, with their former indexes. A node whose parent is not imported is below the next page above it. */
export const selectNodes = (
  nodes: ReadonlyArray<RepositoryNode>,
  included: ReadonlySet<number>
): ReadonlyArray<{ readonly node: RepositoryNode; readonly index: number }> => {
  const selected: Array<{ readonly node: RepositoryNode; readonly index: number }> = []
  const places: Array<number | undefined> = []
  for (const [index, node] of nodes.entries()) {
    const parent = node.parent === undefined ? undefined : places[node.parent]
    places.push(included.has(index) ? selected.push({ node: { ...node, parent }, index }) - 1 : parent)
  }
  return selected
}
