/** Renders the page for a URL that no page has. */
import { element } from "../html/Html.ts"
import { renderFramedPage } from "./layout.ts"
import type { LinkItem, SiteFrame } from "./PageModel.ts"

/** Renders the page, with pages whose paths are similar. */
export const renderNotFound = (frame: SiteFrame, suggestions: ReadonlyArray<LinkItem>): string => {
  const { messages, home } = frame
  return renderFramedPage(frame, {
    title: messages.notFound,
    metadata: { isIndexed: false },
    hasSidebar: true,
    outline: undefined,
    main: element(
      "div",
      { class: "page not-found" },
      element("p", { class: "code" }, "404"),
      element("h1", {}, messages.notFound),
      element("p", {}, messages.notFoundText),
      suggestions.length > 0 && [
        element("h2", {}, messages.suggestions),
        element(
          "ul",
          {},
          suggestions.map(({ title, href, icon }) =>
            element("li", {}, element("a", { href }, icon, " ", title))
          )
        )
      ],
      element("p", {}, element("a", { class: "button secondary", href: home }, messages.backToStart))
    )
  })
}
