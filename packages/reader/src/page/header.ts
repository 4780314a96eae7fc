/** Renders the header of a page: the logo, the search, links and sections. */
import { type Content, classes, element, type Html, nothing } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import { attributesOf, renderHeaderLinks, themedImage } from "./frameLinks.ts"
import type { LinkGroup, LinkItem, SiteFrame } from "./PageModel.ts"

const isGroup = (item: LinkItem | LinkGroup): item is LinkGroup => "items" in item

const renderBrand = (frame: SiteFrame): Html => {
  const { logo, favicon, siteTitle, home } = frame
  const mark: Content =
    favicon === undefined
      ? element(
          "span",
          { class: "monogram", "aria-hidden": "true" },
          Array.from(siteTitle)[0]?.toUpperCase() ?? ""
        )
      : "emoji" in favicon
        ? element("span", { class: "emoji", "aria-hidden": "true" }, favicon.emoji)
        : themedImage(favicon, "")
  return element(
    "a",
    { class: "brand", href: home },
    logo === undefined ? [mark, element("span", {}, siteTitle)] : themedImage(logo, siteTitle)
  )
}

const renderSections = (frame: SiteFrame): Html => {
  const { sections, messages } = frame
  if (sections.length === 0) return nothing
  const renderItem = (item: LinkItem): Html =>
    element(
      "li",
      {},
      element(
        "a",
        {
          ...attributesOf(frame, item),
          "aria-current": item.isCurrent === true ? "true" : undefined,
          title: item.description
        },
        item.icon,
        item.title,
        item.isExternal === true && icon("arrow-up-right-from-square")
      )
    )
  return element(
    "nav",
    { class: "header-tabs", "aria-label": messages.sections },
    element(
      "ul",
      { class: "tabs-row" },
      sections.map((item) =>
        isGroup(item)
          ? element(
              "li",
              {},
              element(
                "details",
                { class: "menu" },
                element(
                  "summary",
                  { class: classes(item.items.some(({ isCurrent }) => isCurrent === true) && "current") },
                  item.icon,
                  item.title,
                  icon("chevron-down")
                ),
                element("ul", {}, item.items.map(renderItem))
              )
            )
          : renderItem(item)
      )
    )
  )
}

/** Renders the header. */
export const renderHeader = (frame: SiteFrame, hasSidebar: boolean): Html => {
  const { messages, customization, searchUrl } = frame
  if (customization.header.preset === "none") return nothing
  return element(
    "header",
    { class: "site-header" },
    element(
      "div",
      { class: "header-row" },
      hasSidebar &&
        element(
          "button",
          {
            type: "button",
            class: "icon-button only-phone",
            popovertarget: "~navigation",
            "aria-label": messages.menu
          },
          icon("bars")
        ),
      renderBrand(frame),
      searchUrl !== undefined &&
        element(
          "a",
          { class: "search-link", href: searchUrl, "data-search": "" },
          icon("magnifying-glass"),
          element("span", {}, messages.searchPlaceholder),
          element("kbd", { class: "js-only", "aria-hidden": "true", "data-shortcut": true }, "Ctrl K")
        ),
      renderHeaderLinks(frame, frame.headerLinks),
      customization.themes.toggeable &&
        element(
          "button",
          {
            type: "button",
            class: "icon-button js-only",
            "data-theme-switch": true,
            "aria-label": messages.switchTheme
          },
          icon("circle-half-stroke")
        )
    ),
    renderSections(frame)
  )
}
