/** Renders the sidebar of a page: the variants of the content and the page tree. */
import { type Content, element, type Html, nothing } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import { attributesOf, renderHeaderLinks } from "./frameLinks.ts"
import type { SiteFrame, TreeItem } from "./PageModel.ts"

/** Renders an entry of the page tree. */
export const renderTreeItem = (frame: SiteFrame, item: TreeItem): Html => {
  const { messages } = frame
  if (item.rest !== undefined) {
    return element("li", { class: "rest" }, element("a", { href: item.href }, messages.morePages(item.rest)))
  }
  const label = [
    item.icon,
    element("span", {}, item.title),
    item.isExternal && element("span", { class: "external" }, icon("arrow-up-right-from-square"))
  ]
  if (item.isGroup && item.branch === undefined) {
    return element(
      "li",
      { class: "group" },
      element("p", { class: "group-title" }, item.icon, item.title),
      renderTreeItems(frame, item.items)
    )
  }
  const link =
    item.href === undefined
      ? element("span", {}, label)
      : element(
          "a",
          {
            ...attributesOf(frame, { ...item, href: item.href }),
            "aria-current": item.isCurrent ? "page" : undefined
          },
          label
        )
  const isLeaf = item.items.length === 0 && item.branch === undefined
  if (isLeaf) return element("li", {}, element("div", { class: "row" }, link))
  const childrenId = `pages-${item.id}`
  const toggle = {
    class: "toggle",
    "aria-expanded": item.isOpen ? "true" : "false",
    "aria-controls": childrenId,
    "aria-label": messages.pagesBelow(item.title)
  }
  return element(
    "li",
    { class: item.isGroup ? "closed-group" : undefined },
    element(
      "div",
      { class: "row" },
      link,
      // Without JavaScript, a branch that the page does not contain is displayed on the page of the branch.
      item.branch === undefined
        ? element("button", { type: "button", ...toggle, class: "toggle js-only" }, icon("chevron-right"))
        : element("a", { ...toggle, href: item.branch, rel: "nofollow" }, icon("chevron-right"))
    ),
    element(
      "ul",
      { class: item.isOpen ? "children" : "children closed", id: childrenId },
      item.items.map((child) => renderTreeItem(frame, child))
    )
  )
}

const renderTreeItems = (frame: SiteFrame, items: ReadonlyArray<TreeItem>): Content =>
  items.length === 0
    ? nothing
    : element(
        "ul",
        { class: "tree" },
        items.map((item) => renderTreeItem(frame, item))
      )

const renderVariants = ({ variants, messages }: SiteFrame): Html => {
  if (variants.length < 2) return nothing
  const current = variants.find(({ isCurrent }) => isCurrent === true)
  return element(
    "details",
    { class: "variants menu" },
    element(
      "summary",
      {},
      element(
        "span",
        {},
        element("span", { class: "hidden-label" }, `${messages.variant}: `),
        current?.title ?? messages.variant
      ),
      icon("chevron-down")
    ),
    element(
      "ul",
      {},
      variants.map((item) =>
        element(
          "li",
          {},
          element(
            "a",
            { href: item.href, "aria-current": item.isCurrent === true ? "true" : undefined },
            item.title,
            item.isCurrent === true && icon("check")
          )
        )
      )
    )
  )
}

/** Renders the sidebar. On a narrow screen, it opens as a popover. */
export const renderSidebar = (frame: SiteFrame): Html => {
  const { messages, tree } = frame
  return element(
    "nav",
    { class: "sidebar", id: "~navigation", popover: true, "aria-label": messages.mainNavigation },
    element(
      "div",
      { class: "sidebar-head" },
      frame.siteTitle,
      element(
        "button",
        { type: "button", class: "icon-button", popovertarget: "~navigation", "aria-label": messages.close },
        icon("xmark")
      )
    ),
    renderHeaderLinks(frame, frame.headerLinks),
    renderVariants(frame),
    element(
      "ul",
      { class: "tree" },
      tree.map((item) => renderTreeItem(frame, item))
    )
  )
}
