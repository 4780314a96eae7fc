/** Renders a branch of the navigation: as a page, or as a list that the script adds to the navigation. */
import { element, htmlDocument } from "../html/Html.ts"
import { renderFramedPage } from "./layout.ts"
import type { SiteFrame, TreeItem } from "./PageModel.ts"
import { renderTreeItem } from "./sidebar.ts"

const renderList = (frame: SiteFrame, items: ReadonlyArray<TreeItem>) =>
  element(
    "ul",
    { class: "tree" },
    items.map((item) => renderTreeItem(frame, item))
  )

/** Renders the entries of a branch without a frame. */
export const renderBranch = (frame: SiteFrame, items: ReadonlyArray<TreeItem>): string =>
  htmlDocument(element("html", {}, element("body", {}, renderList(frame, items))))

/** Renders a page with the entries of a branch. */
export const renderBranchPage = (frame: SiteFrame, title: string, items: ReadonlyArray<TreeItem>): string =>
  renderFramedPage(frame, {
    title,
    metadata: { isIndexed: false },
    hasSidebar: true,
    outline: undefined,
    main: element("div", { class: "page branch" }, element("h1", {}, title), renderList(frame, items))
  })
