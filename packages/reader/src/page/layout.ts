/** Renders the frame of a page: its head, header, navigation and footer. */
import { type Content, classes, element, fragment, type Html, htmlDocument, nothing, script, styleSheet } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import { anchorUrl, externalUrl } from "../html/urls.ts"
import { linkAttributes } from "../document/Renderer.ts"
import type { HeaderLink, LinkGroup, LinkItem, PageMetadata, SiteFrame, ThemedImage, TreeItem } from "./PageModel.ts"
import { emojiFavicon } from "./favicon.ts"

const isGroup = (item: LinkItem | LinkGroup): item is LinkGroup => "items" in item

const attributesOf = (frame: SiteFrame, link: { readonly href: LinkItem["href"]; readonly isExternal?: boolean }) =>
  linkAttributes(
    { href: link.href, isExternal: link.isExternal === true },
    frame.customization.externalLinks.target === "blank"
  )

const themedImage = ({ light, dark }: ThemedImage, alt: string): Content =>
  light === dark
    ? element("img", { src: light, alt })
    : [element("img", { src: light, alt, class: "only-light" }), element("img", { src: dark, alt, class: "only-dark" })]

const renderHead = (frame: SiteFrame, title: string, metadata: PageMetadata): Html => {
  const { assets, favicon, siteTitle, messages } = frame
  const fullTitle = title === siteTitle ? title : `${title} | ${siteTitle}`
  const property = (name: string, content: string | undefined): Html =>
    content === undefined ? nothing : element("meta", { property: name, content })
  return element(
    "head",
    {},
    element("meta", { charset: "utf-8" }),
    element("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    element("title", {}, fullTitle),
    metadata.description !== undefined && element("meta", { name: "description", content: metadata.description }),
    !metadata.isIndexed && element("meta", { name: "robots", content: "noindex" }),
    metadata.canonical !== undefined && element("link", { rel: "canonical", href: metadata.canonical }),
    metadata.markdown !== undefined && element("link", { rel: "alternate", type: "text/markdown", href: metadata.markdown }),
    (metadata.alternates ?? []).map(([hreflang, href]) => element("link", { rel: "alternate", hreflang, href })),
    property("og:title", title),
    property("og:site_name", siteTitle),
    property("og:type", "article"),
    property("og:description", metadata.description),
    property("og:url", metadata.canonical),
    property("og:image", metadata.image),
    property("og:locale", messages.locale.replace("-", "_")),
    element("meta", { name: "twitter:card", content: metadata.image === undefined ? "summary" : "summary_large_image" }),
    element("meta", { name: "generator", content: "Lectern" }),
    favicon !== undefined && "light" in favicon
      ? [
          element("link", { rel: "icon", href: favicon.light, media: "(prefers-color-scheme: light)" }),
          element("link", { rel: "icon", href: favicon.dark, media: "(prefers-color-scheme: dark)" })
        ]
      : element("link", { rel: "icon", href: emojiFavicon(favicon?.emoji) }),
    styleSheet(assets.style),
    styleSheet(assets.theme),
    script(assets.script)
  )
}

const renderBrand = (frame: SiteFrame): Html => {
  const { logo, favicon, siteTitle, home } = frame
  const mark: Content =
    favicon === undefined
      ? element("span", { class: "monogram", "aria-hidden": "true" }, Array.from(siteTitle)[0]?.toUpperCase() ?? "")
      : "emoji" in favicon
        ? element("span", { class: "emoji", "aria-hidden": "true" }, favicon.emoji)
        : themedImage(favicon, "")
  return element("a", { class: "brand", href: home }, logo === undefined ? [mark, element("span", {}, siteTitle)] : themedImage(logo, siteTitle))
}

const renderHeaderLinks = (frame: SiteFrame, links: ReadonlyArray<HeaderLink>): Html =>
  links.length === 0
    ? nothing
    : element(
        "ul",
        { class: "header-links" },
        links.map((link) => {
          if (link.items.length > 0) {
            return element(
              "li",
              {},
              element(
                "details",
                { class: "menu" },
                element("summary", {}, link.title, icon("chevron-down")),
                element(
                  "ul",
                  {},
                  [...(link.href === undefined ? [] : [{ ...link, href: link.href }]), ...link.items].map((item) =>
                    element("li", {}, element("a", attributesOf(frame, item), item.title))
                  )
                )
              )
            )
          }
          if (link.href === undefined) return nothing
          const className = link.style === "link" ? undefined : `button ${link.style}`
          return element("li", {}, element("a", { class: className, ...attributesOf(frame, { ...link, href: link.href }) }, link.title))
        })
      )

const renderSections = ({ sections, messages }: SiteFrame): Html => {
  if (sections.length === 0) return nothing
  const renderItem = (item: LinkItem): Html =>
    element(
      "li",
      {},
      element(
        "a",
        { href: item.href, "aria-current": item.isCurrent === true ? "true" : undefined, title: item.description },
        item.icon,
        item.title
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
                element("summary", { class: classes(item.items.some(({ isCurrent }) => isCurrent === true) && "current") }, item.icon, item.title, icon("chevron-down")),
                element("ul", {}, item.items.map(renderItem))
              )
            )
          : renderItem(item)
      )
    )
  )
}

const renderHeader = (frame: SiteFrame, hasSidebar: boolean): Html => {
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
          { type: "button", class: "icon-button only-phone", popovertarget: "navigation", "aria-label": messages.menu },
          icon("bars")
        ),
      renderBrand(frame),
      element(
        "a",
        { class: "search-link", href: searchUrl, "data-search": "", "aria-label": messages.search },
        icon("magnifying-glass"),
        element("span", {}, messages.searchPlaceholder),
        element("kbd", { class: "js-only", "aria-hidden": "true", "data-shortcut": true }, "Ctrl K")
      ),
      renderHeaderLinks(frame, frame.headerLinks),
      customization.themes.toggeable &&
        element(
          "button",
          { type: "button", class: "icon-button js-only", "data-theme-switch": true, "aria-label": messages.switchTheme },
          icon("circle-half-stroke")
        )
    ),
    renderSections(frame)
  )
}

const renderTreeItem = (frame: SiteFrame, item: TreeItem): Html => {
  const label = [item.icon, element("span", {}, item.title), item.isExternal && element("span", { class: "external" }, icon("arrow-up-right-from-square"))]
  if (item.isGroup) {
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
      : element("a", { ...attributesOf(frame, { ...item, href: item.href }), "aria-current": item.isCurrent ? "page" : undefined }, label)
  if (item.items.length === 0) return element("li", {}, element("div", { class: "row" }, link))
  return element(
    "li",
    {},
    element(
      "details",
      { open: item.isOpen },
      element("summary", { class: "row" }, link, element("span", { class: "toggle" }, icon("chevron-right"))),
      element("ul", {}, item.items.map((child) => renderTreeItem(frame, child)))
    )
  )
}

const renderTreeItems = (frame: SiteFrame, items: ReadonlyArray<TreeItem>): Content =>
  items.length === 0 ? nothing : element("ul", { class: "tree" }, items.map((item) => renderTreeItem(frame, item)))

const renderVariants = ({ variants, messages }: SiteFrame): Html => {
  if (variants.length < 2) return nothing
  const current = variants.find(({ isCurrent }) => isCurrent === true)
  return element(
    "details",
    { class: "variants menu" },
    element(
      "summary",
      {},
      element("span", {}, element("span", { class: "hidden-label" }, `${messages.variant}: `), current?.title ?? messages.variant),
      icon("chevron-down")
    ),
    element(
      "ul",
      {},
      variants.map((item) =>
        element(
          "li",
          {},
          element("a", { href: item.href, "aria-current": item.isCurrent === true ? "true" : undefined }, item.title, item.isCurrent === true && icon("check"))
        )
      )
    )
  )
}

const renderSidebar = (frame: SiteFrame): Html => {
  const { messages, tree } = frame
  return element(
    "nav",
    { class: "sidebar", id: "navigation", popover: true, "aria-label": messages.mainNavigation },
    element(
      "div",
      { class: "sidebar-head" },
      frame.siteTitle,
      element(
        "button",
        { type: "button", class: "icon-button", popovertarget: "navigation", "aria-label": messages.close },
        icon("xmark")
      )
    ),
    renderHeaderLinks(frame, frame.headerLinks),
    renderVariants(frame),
    element("ul", { class: "tree" }, tree.map((item) => renderTreeItem(frame, item)))
  )
}

const renderFooter = (frame: SiteFrame): Html => {
  const { footer, privacyPolicy } = frame.customization
  const { footerGroups, footerLogo, messages, siteTitle } = frame
  const privacy = privacyPolicy.url === undefined ? undefined : externalUrl(privacyPolicy.url)
  if (footerGroups.length === 0 && footerLogo === undefined && footer.copyright === undefined && privacy === undefined) return nothing
  return element(
    "footer",
    { class: "site-footer" },
    element(
      "div",
      {},
      footerLogo !== undefined && element("div", {}, themedImage(footerLogo, siteTitle)),
      footerGroups.map(({ title, items }) =>
        element("div", {}, element("h2", {}, title), element("ul", {}, items.map((item) => element("li", {}, element("a", attributesOf(frame, item), item.title)))))
      ),
      (footer.copyright !== undefined || privacy !== undefined) &&
        element(
          "p",
          { class: "legal" },
          footer.copyright !== undefined && element("span", {}, footer.copyright),
          privacy !== undefined && element("a", { href: privacy, rel: "noopener" }, messages.privacyPolicy)
        )
    )
  )
}

const renderAnnouncement = (frame: SiteFrame): Html => {
  const { announcement } = frame.customization
  if (announcement?.enabled !== true) return nothing
  const link = frame.announcementLink
  return element(
    "aside",
    { class: `announcement ${announcement.style}` },
    element("span", {}, announcement.message),
    link !== undefined && element("a", attributesOf(frame, link), link.title)
  )
}

const renderSearchDialog = ({ messages, searchUrl }: SiteFrame): Html =>
  element(
    "dialog",
    { class: "search", "data-url": searchUrl, "aria-label": messages.search },
    element(
      "div",
      { class: "search-field" },
      icon("magnifying-glass"),
      element("input", {
        type: "search",
        name: "q",
        placeholder: messages.searchPlaceholder,
        "aria-label": messages.search,
        autocomplete: "off",
        enterkeyhint: "search"
      }),
      element(
        "form",
        { method: "dialog" },
        element("button", { class: "icon-button", "aria-label": messages.close }, icon("xmark"))
      )
    ),
    element("p", { class: "search-status", role: "status" }, messages.searchHint),
    element("div", { class: "search-results" })
  )

/** The classes of the root element, which the style sheet depends on. */
const rootClasses = ({ customization }: SiteFrame): string | undefined => {
  const { styling, header } = customization
  return classes(
    `theme-${styling.theme}`,
    `depth-${styling.depth}`,
    `links-${styling.links}`,
    `list-${styling.sidebar.list}`,
    `sidebar-${styling.sidebar.background}`,
    `background-${styling.background}`,
    `${styling.search}-search`,
    header.preset === "none" ? "no-header" : `header-${styling.theme === "bold" && header.preset === "default" ? "bold" : header.preset}`
  )
}

/** A page of a site: its main content, which landmarks surround it, and its metadata. */
export interface FramedPage {
  readonly title: string
  readonly language?: string | undefined
  readonly metadata: PageMetadata
  readonly hasSidebar: boolean
  /** The outline; `undefined` for a page without one. */
  readonly outline: Html | undefined
  readonly isWide?: boolean
  readonly main: Html
}

/** Renders a document with the frame of a site. */
export const renderFramedPage = (frame: SiteFrame, page: FramedPage): string => {
  const { messages, customization } = frame
  const { default: defaultTheme, toggeable } = customization.themes
  // A site whose default is light follows the system of the reader, unless the reader cannot choose a theme.
  const theme = defaultTheme === "dark" || !toggeable ? defaultTheme : undefined
  return htmlDocument(
    element(
      "html",
      {
        lang: page.language ?? messages.locale,
        class: rootClasses(frame),
        "data-theme": theme,
        "data-toggle": toggeable,
        "data-copied": messages.copied,
        "data-more": messages.showMore
      },
      renderHead(frame, page.title, page.metadata),
      element(
        "body",
        {},
        element("a", { class: "skip", href: skipTarget }, messages.skipToContent),
        frame.bar,
        renderAnnouncement(frame),
        renderHeader(frame, page.hasSidebar),
        element(
          "div",
          {
            class: classes(
              "page-grid",
              !page.hasSidebar && "without-sidebar",
              page.outline === undefined && "without-outline",
              page.isWide === true && "wide"
            )
          },
          page.hasSidebar && renderSidebar(frame),
          element("main", { id: "main", tabindex: "-1" }, page.main),
          page.outline
        ),
        renderFooter(frame),
        renderSearchDialog(frame),
        element("div", { id: "status", class: "hidden-label", role: "status" })
      )
    )
  )
}

const skipTarget = anchorUrl("main")
