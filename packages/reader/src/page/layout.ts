/** Renders the frame of a page: its landmarks, its footer and the search dialog. */
import { classes, element, type Html, htmlDocument, nothing } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import { anchorUrl, externalUrl } from "../html/urls.ts"
import { attributesOf, themedImage } from "./frameLinks.ts"
import { renderHead } from "./head.ts"
import { renderHeader } from "./header.ts"
import type { PageMetadata, PageScripts, SiteFrame } from "./PageModel.ts"
import { renderSidebar } from "./sidebar.ts"

const renderFooter = (frame: SiteFrame): Html => {
  const { footer, privacyPolicy } = frame.customization
  const { footerGroups, footerLogo, messages, siteTitle } = frame
  const asksConsent = frame.scripts?.entries.some(({ categories }) => categories.length > 0) === true
  const privacy = privacyPolicy.url === undefined ? undefined : externalUrl(privacyPolicy.url)
  if (
    footerGroups.length === 0 &&
    footerLogo === undefined &&
    footer.copyright === undefined &&
    privacy === undefined &&
    !asksConsent
  )
    return nothing
  return element(
    "footer",
    { class: "site-footer" },
    element(
      "div",
      {},
      footerLogo !== undefined && element("div", {}, themedImage(footerLogo, siteTitle)),
      footerGroups.map(({ title, items }) =>
        element(
          "div",
          {},
          element("h2", {}, title),
          element(
            "ul",
            {},
            items.map((item) => element("li", {}, element("a", attributesOf(frame, item), item.title)))
          )
        )
      ),
      (footer.copyright !== undefined || privacy !== undefined || asksConsent) &&
        element(
          "p",
          { class: "legal" },
          footer.copyright !== undefined && element("span", {}, footer.copyright),
          privacy !== undefined && element("a", { href: privacy, rel: "noopener" }, messages.privacyPolicy),
          asksConsent &&
            element(
              "button",
              { type: "button", class: "consent-settings", hidden: true },
              messages.consent.settings
            )
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

/** The panel of an answer in the search dialog, which the script of questions fills. */
const renderAskPanel = ({ messages, askUrl }: SiteFrame): Html =>
  askUrl === undefined
    ? nothing
    : element(
        "section",
        {
          class: "ask",
          "aria-label": messages.ask.answer,
          "data-url": askUrl,
          "data-answering": messages.ask.answering,
          "data-failed": messages.ask.failed
        },
        element(
          "button",
          { type: "button", class: "button button-secondary ask-button", hidden: true },
          messages.ask.ask
        ),
        element("p", { class: "ask-status", role: "status" }),
        element("div", { class: "ask-answer", tabindex: "-1" })
      )

const renderSearchDialog = (frame: SiteFrame): Html => {
  const { messages, searchUrl } = frame
  return element(
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
    renderAskPanel(frame),
    element("p", { class: "search-status", role: "status" }, messages.searchHint),
    element("div", { class: "search-results" })
  )
}

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
    header.preset === "none"
      ? "no-header"
      : `header-${styling.theme === "bold" && header.preset === "default" ? "bold" : header.preset}`
  )
}

/** The messages of the form that sends requests of an API, for its script. */
const requestTexts = ({ messages }: SiteFrame): string => {
  const { send, server, username, password, token, directRequest, noResponse, noBody, headers, parameters } =
    messages.openApi
  return JSON.stringify({
    send,
    server,
    username,
    password,
    token,
    directRequest,
    noResponse,
    noBody,
    headers,
    body: parameters.body,
    close: messages.close
  })
}

/** The scripts of the site, with the messages of the banner, for the script that loads them. */
const scriptsOf = ({ messages, home }: SiteFrame, { entries, version, root }: PageScripts): string =>
  JSON.stringify({ home, root, version, entries, texts: messages.consent })

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
        "data-more": messages.showMore,
        "data-scripts": frame.scripts === undefined ? undefined : scriptsOf(frame, frame.scripts),
        "data-requests": page.metadata.sendsRequests === true ? requestTexts(frame) : undefined
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
          element("main", { id: "~main", tabindex: "-1" }, page.main),
          page.outline
        ),
        renderFooter(frame),
        frame.searchUrl !== undefined && renderSearchDialog(frame),
        element("div", { id: "~status", class: "hidden-label", role: "status" })
      )
    )
  )
}

const skipTarget = anchorUrl("~main")
