/** Changes of the tree of pages, displayed before the server has confirmed them. */
import type { ContentChange, Page } from "@lectern/client/fetch"
import { openConfirm } from "../../components/openConfirm.tsx"
import { moveNode, type TreePlace } from "../../components/TreeNode.ts"
import { writeData } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import { changeKey } from "../../data/changeRequests.ts"
import {
  childrenOf,
  editContent,
  editRevision,
  flattenPages,
  type Place,
  pagesKey,
  parentsOf,
  placeKey,
  placePath,
  undoEdit
} from "../../data/content.ts"
import { trySaveEditors } from "../../data/openEditors.ts"
import { addressStore, navigate } from "../../router/location.ts"
import { pagePath } from "../../router/pagePaths.ts"
import { translate } from "../../strings/strings.ts"
import { spaceStrings } from "./strings.ts"

type Pages = ReadonlyArray<Page>

/** The keys of the resources that a change of content affects. */
export const affectedKeys = (place: Place): ReadonlyArray<string> => [
  placeKey(place),
  ...(place.change === undefined ? [] : [changeKey(place.spaceId, place.change)])
]

/** Returns the path of a page by its id, which does not change. */
export const addressOfPage = (place: Place, pageId: string): string => pagePath(place, { id: pageId })

interface PageNode {
  readonly id: string
  readonly title: string
  readonly page: Page
  readonly children: ReadonlyArray<PageNode>
}

const toNodes = (pages: Pages): ReadonlyArray<PageNode> =>
  pages.map((page) => ({ id: page.id, title: page.title, page, children: toNodes(childrenOf(page)) }))

const toPages = (nodes: ReadonlyArray<PageNode>): Pages =>
  nodes.map(({ page, children }) => ("pages" in page ? { ...page, pages: toPages(children) } : page))

/** Returns the tree in which a page was moved. */
export const movePageIn = (pages: Pages, pageId: string, place: TreePlace): Pages =>
  toPages(moveNode(toNodes(pages), pageId, place))

/** Returns the siblings of a place, without the page that is moved. */
const siblingsAt = (pages: Pages, pageId: string, parent: string | undefined): Pages => {
  const siblings =
    parent === undefined
      ? pages
      : flattenPages(pages)
          .filter(({ id }) => id === parent)
          .flatMap(childrenOf)
  return siblings.filter(({ id }) => id !== pageId)
}

/** Returns the change that moves a page to a place: the index of the page is that among its siblings without it. */
export const moveChange = (pages: Pages, pageId: string, { parent, before }: TreePlace): ContentChange => {
  const siblings = siblingsAt(pages, pageId, parent)
  const index = before === undefined ? siblings.length : siblings.findIndex(({ id }) => id === before)
  return {
    operation: "update_page",
    page: pageId,
    into: parent ?? null,
    at: index < 0 ? siblings.length : index
  }
}

/** Returns the place of a page. */
export const placeOf = (pages: Pages, pageId: string): TreePlace => {
  const parent = parentsOf(pages, pageId).at(-1)
  const siblings = parent === undefined ? pages : childrenOf(parent)
  const index = siblings.findIndex(({ id }) => id === pageId)
  return { parent: parent?.id, before: siblings[index + 1]?.id }
}

/** Moves a page. */
export const movePage = (place: Place, pages: Pages, page: Page, target: TreePlace) => {
  const { id, title } = page
  const origin = placeOf(pages, id)
  const moved = movePageIn(pages, id, target)
  return runChange({
    apply: () => [writeData<Pages>(pagesKey(place), (current) => movePageIn(current, id, target))],
    send: () => editContent(place, [moveChange(pages, id, target)]),
    message: translate(spaceStrings, "moved", { title }),
    failure: translate(spaceStrings, "moveFailed", { title }),
    undo: () => editContent(place, [moveChange(moved, id, origin)]),
    invalidates: affectedKeys(place)
  })
}

const updateIn = (pages: Pages, pageId: string, change: (page: Page) => Page): Pages =>
  pages.map((page) => {
    if (page.id === pageId) return change(page)
    return "pages" in page ? { ...page, pages: updateIn(page.pages, pageId, change) } : page
  })

/** Renames a page. */
export const renamePage = (place: Place, page: Page, title: string) => {
  const send = (text: string) =>
    editContent(place, [{ operation: "update_page", page: page.id, title: text }])
  return runChange({
    apply: () => [
      writeData<Pages>(pagesKey(place), (pages) =>
        updateIn(pages, page.id, (current) => ({ ...current, title }))
      )
    ],
    send: () => send(title),
    message: translate(spaceStrings, "renamed", { title }),
    failure: translate(spaceStrings, "renameFailed"),
    undo: () => send(page.title),
    invalidates: affectedKeys(place)
  })
}

/** Hides a page from the navigation, or displays it there again. */
export const setHidden = (
  place: Place,
  page: Exclude<Page, { readonly type: "computed" }>,
  hidden: boolean
) => {
  const { id, title } = page
  const send = (value: boolean) => editContent(place, [{ operation: "update_page", page: id, hidden: value }])
  return runChange({
    apply: () => [
      writeData<Pages>(pagesKey(place), (pages) =>
        updateIn(pages, id, (current) => (current.type === "computed" ? current : { ...current, hidden }))
      )
    ],
    send: () => send(hidden),
    message: translate(spaceStrings, hidden ? "hidden" : "shown", { title }),
    failure: translate(spaceStrings, "visibilityFailed", { title }),
    undo: () => send(!hidden),
    invalidates: affectedKeys(place)
  })
}

const withoutPage = (pages: Pages, pageId: string): Pages =>
  pages
    .filter(({ id }) => id !== pageId)
    .map((page) => ("pages" in page ? { ...page, pages: withoutPage(page.pages, pageId) } : page))

/** Opens what contains a page that is deleted, if the page or one below it is open. */
const leavePage = (place: Place, pages: Pages, page: Page): void => {
  const { path } = addressStore.get()
  const isDisplayed = [page, ...flattenPages(childrenOf(page))].some(
    (one) => path === placePath(place, one) || path === addressOfPage(place, one.id)
  )
  if (isDisplayed) navigate(placePath(place, parentsOf(pages, page.id).at(-1)))
}

const sendDeletion = (place: Place, pages: Pages, page: Page) => {
  const { id, title } = page
  const count = flattenPages(childrenOf(page)).length
  leavePage(place, pages, page)
  return runChange({
    apply: () => [writeData<Pages>(pagesKey(place), (current) => withoutPage(current, id))],
    send: async () => {
      // Text that the server has not accepted remains on this device, also if the page is deleted.
      await trySaveEditors().catch(() => undefined)
      return editRevision(place, [{ operation: "delete_page", page: id }])
    },
    message:
      count === 0
        ? translate(spaceStrings, "removed", { title })
        : translate(spaceStrings, "removedWith", { title, count }),
    failure: translate(spaceStrings, "removeFailed", { title }),
    undo: (deleted) => undoEdit(place, deleted, [id]),
    invalidates: affectedKeys(place)
  })
}

/**
 * Deletes a page with the pages below it, which the person confirms. The text of open editors is saved first, so that an undo restores it.
 */
export const deletePage = (place: Place, pages: Pages, page: Page): void => {
  const count = flattenPages(childrenOf(page)).length
  if (count === 0) return void sendDeletion(place, pages, page)
  openConfirm({
    title: translate(spaceStrings, "removeTitle", { title: page.title }),
    body: translate(spaceStrings, "removeBody", { count }),
    confirm: translate(spaceStrings, "remove"),
    run: () => void sendDeletion(place, pages, page)
  })
}
