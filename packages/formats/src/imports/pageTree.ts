/**
 * Builds the page tree of an import: from the navigation of the source if it has at least half of the pages, otherwise from
 * the paths of the pages.
 */

import { bounds } from "@lectern/model/imports"
import type { Entry } from "../conversion/Readings.ts"
import type { FetchedContent, FetchedPage } from "./FetchedContent.ts"

/** A node of the page tree: a fetched page, or a container of pages without content of its own. */
export interface PlannedPage {
  /** The stable identifier in the source. */
  readonly resource: string
  /** The resource of the parent; undefined at the root. */
  readonly parent: string | undefined
  readonly title: string
  /** The name that the slug is derived from; undefined to derive it from the title. */
  readonly name: string | undefined
  /** Whether the node is a group, which is possible at the root only. */
  readonly isGroup: boolean
  /** The fetched page; undefined for a container. */
  readonly page: FetchedPage | undefined
}

/** Normalizes whitespace, and truncates to the maximum length of titles. */
const toTitle = (text: string): string => {
  const clean = Array.from(
    text
      .replaceAll(/[\s\0]+/g, " ")
      .toWellFormed()
      .trim()
  )
  return clean.length > 256 ? `${clean.slice(0, 255).join("")}…` : clean.join("")
}

const titleOf = ({ page, fallback }: FetchedPage): string =>
  toTitle(page.title ?? "") || toTitle(fallback) || "Untitled"

/** Converts a name to a title: `getting-started` to "Getting started". */
const titleOfName = (name: string): string => {
  const words = toTitle(name.replaceAll(/[-_]+/g, " "))
  return words === "" ? "Untitled" : words.charAt(0).toUpperCase() + words.slice(1)
}

const planPage = (page: FetchedPage, parent: string | undefined): PlannedPage => ({
  resource: page.resource,
  parent,
  title: titleOf(page),
  name: page.segments.at(-1),
  isGroup: false,
  page
})

interface Folder {
  page: FetchedPage | undefined
  readonly children: Map<string, Folder>
}

/** Builds the tree from the paths. A folder without a page becomes a group at the root, and an empty page below it. */
const treeFromPaths = (pages: ReadonlyArray<FetchedPage>): ReadonlyArray<PlannedPage> => {
  const root: Folder = { page: undefined, children: new Map() }
  const displaced: Array<FetchedPage> = []
  for (const page of pages) {
    let folder = root
    for (const segment of page.segments.slice(0, bounds.depth)) {
      let next = folder.children.get(segment)
      if (next === undefined) {
        next = { page: undefined, children: new Map() }
        folder.children.set(segment, next)
      }
      folder = next
    }
    // Pages with the same path, up to the maximum depth, become siblings.
    if (folder.page === undefined) folder.page = page
    else displaced.push(page)
  }
  const planned: Array<PlannedPage> = root.page === undefined ? [] : [planPage(root.page, undefined)]
  const visit = (folder: Folder, folderPath: ReadonlyArray<string>, parent: string | undefined): void => {
    for (const [name, child] of folder.children) {
      const path = [...folderPath, name]
      const resource = child.page?.resource ?? `${path.join("/")}/`
      planned.push(
        child.page === undefined
          ? {
              resource,
              parent,
              title: titleOfName(name),
              name,
              isGroup: parent === undefined,
              page: undefined
            }
          : planPage(child.page, parent)
      )
      visit(child, path, resource)
    }
  }
  visit(root, [], undefined)
  const parents = new Map(planned.map((one) => [one.page, one.parent]))
  for (const page of displaced) {
    const sibling = pages.find(
      (other) =>
        other !== page &&
        other.segments.slice(0, bounds.depth).join("/") === page.segments.slice(0, bounds.depth).join("/")
    )
    planned.push(planPage(page, parents.get(sibling)))
  }
  return planned
}

const resourcesIn = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> =>
  entries.flatMap(({ url, entries: inner }) => [...(url === undefined ? [] : [url]), ...resourcesIn(inner)])

/** Builds the tree from the navigation. A page that it lacks goes below the page of the longest prefix of its path. */
const treeFromNavigation = (
  pages: ReadonlyArray<FetchedPage>,
  navigation: ReadonlyArray<Entry>
): ReadonlyArray<PlannedPage> => {
  const byResource = new Map(pages.map((page) => [page.resource, page]))
  const placed = new Set<string>()
  const planned: Array<PlannedPage> = []
  const hasUnplacedPage = ({ url, entries }: Entry): boolean =>
    (url !== undefined && byResource.has(url) && !placed.has(url)) || entries.some(hasUnplacedPage)

  const visit = (
    entries: ReadonlyArray<Entry>,
    parent: string | undefined,
    groups: ReadonlyArray<string>,
    depth: number
  ): void => {
    for (const entry of entries) {
      const { url, title, entries: children } = entry
      const page = url === undefined || placed.has(url) ? undefined : byResource.get(url)
      let [parentOfChildren, groupsOfChildren] = [parent, groups]
      if (page !== undefined) {
        placed.add(page.resource)
        planned.push(planPage(page, parent))
        parentOfChildren = page.resource
      } else if (title !== "" && depth <= bounds.depth && children.some(hasUnplacedPage)) {
        // A section without a page is a group at the root, and an empty page below it.
        groupsOfChildren = [...groups, toTitle(title)]
        parentOfChildren = `#${groupsOfChildren.join("/")}`
        if (!placed.has(parentOfChildren)) {
          placed.add(parentOfChildren)
          planned.push({
            resource: parentOfChildren,
            parent,
            title: toTitle(title) || "Untitled",
            name: undefined,
            isGroup: parent === undefined,
            page
          })
        }
      }
      visit(children, depth < bounds.depth ? parentOfChildren : parent, groupsOfChildren, depth + 1)
    }
  }
  visit(navigation, undefined, [], 1)

  const byPath = new Map(
    planned.flatMap(({ page }) => (page === undefined ? [] : [[page.segments.join("/"), page]]))
  )
  const rest = pages.filter(({ resource }) => !placed.has(resource))
  for (const page of rest.toSorted((a, b) => a.segments.length - b.segments.length)) {
    let parent: string | undefined
    for (
      let length = Math.min(page.segments.length - 1, bounds.depth);
      length > 0 && parent === undefined;
      length--
    ) {
      parent = byPath.get(page.segments.slice(0, length).join("/"))?.resource
    }
    planned.push(planPage(page, parent))
    byPath.set(page.segments.join("/"), page)
  }
  return planned
}

/** Builds the page tree as a list: parents come before their children, and siblings are in order. */
export const buildPageTree = ({ pages, navigation }: FetchedContent): ReadonlyArray<PlannedPage> => {
  const resources = new Set(pages.map(({ resource }) => resource))
  const inNavigation = new Set(resourcesIn(navigation).filter((resource) => resources.has(resource)))
  return inNavigation.size >= 2 && inNavigation.size * 2 >= pages.length
    ? treeFromNavigation(pages, navigation)
    : treeFromPaths(pages)
}
