/**
 * Builds the page tree of the navigation. The tree of a large site has the open branches only, and of long lists the part around the
 * current page; the script loads a branch when the reader opens it. Without the script, the page of a branch opens it.
 */
import { iconOfPage } from "../html/icons.ts"
import { relativeUrl, type SafeUrl } from "../html/urls.ts"
import type { TreeItem } from "../page/PageModel.ts"
import type { IndexedPage, PageIndex, TreePage } from "../source/PageIndex.ts"
import { type LinkOrigin, resolveLink } from "./links.ts"
import { firstDocument, isAbove, pageUrl } from "./ReadableSite.ts"
import { reservedPath } from "./reservedPath.ts"

/** The number of pages above which closed branches are not in the tree. */
const maximumTreePages = 150

/** The number of siblings above which a list has only a part of them. */
const maximumSiblings = 100

/** The path of branches below the root of a site. */
export const branchesPath = `${reservedPath}navigation`

/** The number of pages of a list of a branch. */
export const branchSize = 500

const counts = new WeakMap<PageIndex, number>()

const countPages = (pages: ReadonlyArray<TreePage>): number =>
  pages.reduce((count, page) => count + 1 + ("pages" in page ? countPages(page.pages) : 0), 0)

const sizeOf = (index: PageIndex): number => {
  const known = counts.get(index)
  if (known !== undefined) return known
  const count = countPages(index.pages)
  counts.set(index, count)
  return count
}

/** Whether a page is part of the navigation. */
export const isListed = (page: TreePage): boolean =>
  !("hidden" in page && page.hidden === true) &&
  (page.type === "document" || page.type === "link" || (page.type === "group" && page.pages.some(isListed)))

/** The pages below a page that are part of the navigation. */
export const listedBelow = (page: TreePage): ReadonlyArray<TreePage> =>
  "pages" in page ? page.pages.filter(isListed) : []

/** Returns the URL of the list of the pages below a page, or of the pages at the root for an empty id. */
export const branchUrl = (
  { space, from }: Pick<LinkOrigin, "space" | "from">,
  page: string,
  offset = 0
): SafeUrl => {
  const query = new URLSearchParams({
    space: space.id,
    page,
    ...(offset === 0 ? {} : { offset: String(offset) })
  })
  return relativeUrl(from, `${branchesPath}?${query}`)
}

/** Returns the first index of the part of a list that is displayed: around the current page, or its beginning. */
const startOf = (pages: ReadonlyArray<TreePage>, current: IndexedPage | undefined): number => {
  const at = pages.findIndex((page) => isAbove(page, current))
  return Math.max(0, Math.min(at - maximumSiblings / 2, pages.length - maximumSiblings))
}

/** Converts pages to entries. `isLarge` selects that closed branches are omitted. */
const toItems = (
  origin: LinkOrigin,
  pages: ReadonlyArray<TreePage>,
  current: IndexedPage | undefined,
  isLarge: boolean
): ReadonlyArray<TreeItem> =>
  pages.flatMap((page): ReadonlyArray<TreeItem> => {
    const isOpen = isAbove(page, current)
    const below = listedBelow(page)
    const isClosed = isLarge && !isOpen && below.length > 0
    const common = {
      id: page.id,
      title: page.title,
      icon: iconOfPage(page),
      isGroup: false,
      isExternal: false,
      isCurrent: false,
      isOpen,
      branch: isClosed ? branchUrl(origin, page.id) : undefined,
      items: isClosed ? [] : listItems(origin, below, page.id, current, isLarge)
    }
    switch (page.type) {
      case "group": {
        const first = firstDocument(page)
        const href = isClosed && first !== undefined ? pageUrl(origin.from, origin.space, first) : undefined
        return [{ ...common, href, isGroup: true }]
      }
      case "document":
        return [
          {
            ...common,
            href: pageUrl(origin.from, origin.space, page),
            isCurrent: current?.page.id === page.id
          }
        ]
      case "link": {
        const link = resolveLink(origin, page.target)
        return link === undefined ? [] : [{ ...common, href: link.href, isExternal: link.isExternal }]
      }
      default:
        return []
    }
  })

/** The entry that leads to the rest of a long list. */
const restItem = (origin: LinkOrigin, parent: string, offset: number, rest: number): TreeItem => ({
  id: `${parent}-${offset}`,
  title: "",
  href: branchUrl(origin, parent, offset),
  icon: undefined,
  isGroup: false,
  isExternal: false,
  isCurrent: false,
  isOpen: false,
  rest,
  items: []
})

/** Converts the pages of one list, of a large site with at most 100 of them. */
const listItems = (
  origin: LinkOrigin,
  pages: ReadonlyArray<TreePage>,
  parent: string,
  current: IndexedPage | undefined,
  isLarge: boolean
): ReadonlyArray<TreeItem> => {
  if (!isLarge || pages.length <= maximumSiblings) return toItems(origin, pages, current, isLarge)
  const start = startOf(pages, current)
  const end = Math.min(start + maximumSiblings, pages.length)
  return [
    ...(start === 0 ? [] : [restItem(origin, parent, 0, start)]),
    ...toItems(origin, pages.slice(start, end), current, isLarge),
    ...(end === pages.length ? [] : [restItem(origin, parent, end, pages.length - end)])
  ]
}

/** Builds the page tree of a space, without hidden pages. */
export const treeItems = (origin: LinkOrigin, current: IndexedPage | undefined): ReadonlyArray<TreeItem> => {
  const { index } = origin.space
  return listItems(origin, index.pages.filter(isListed), "", current, sizeOf(index) > maximumTreePages)
}

/** Builds a part of the list of the pages below a page. */
export const branchItems = (
  origin: LinkOrigin,
  parent: string,
  pages: ReadonlyArray<TreePage>,
  offset: number
): ReadonlyArray<TreeItem> => {
  const end = offset + branchSize
  return [
    ...toItems(origin, pages.slice(offset, end), undefined, true),
    ...(end < pages.length ? [restItem(origin, parent, end, pages.length - end)] : [])
  ]
}
