/** Renders a page of a site: its title, its content, its outline, and links to other pages. */
import { type Content, classes, element, fragment, type Html, nothing } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import { anchorUrl } from "../html/urls.ts"
import { renderFramedPage } from "./layout.ts"
import type { LinkItem, PageModel, SiteFrame } from "./PageModel.ts"

const renderBreadcrumbs = ({ breadcrumbs, frame }: PageModel): Html =>
  breadcrumbs.length === 0
    ? nothing
    : element(
        "nav",
        { class: "breadcrumbs", "aria-label": frame.messages.breadcrumbs },
        element(
          "ol",
          {},
          breadcrumbs.map(({ title, href }) =>
            element("li", {}, href === undefined ? title : element("a", { href }, title))
          )
        )
      )

const renderActions = ({ actions, frame }: PageModel): Html => {
  const { messages, customization } = frame
  const items: Array<Html> = []
  if (actions.markdown !== undefined && customization.pageActions.markdown) {
    items.push(
      element(
        "li",
        { class: "js-only" },
        element(
          "button",
          { type: "button", "data-copy": "page", "data-source": actions.markdown },
          icon("copy"),
          messages.copyPage
        )
      ),
      element("li", {}, element("a", { href: actions.markdown }, icon("file-lines"), messages.viewMarkdown))
    )
  }
  if (actions.edit !== undefined) {
    items.push(
      element(
        "li",
        {},
        element("a", { href: actions.edit, rel: "noopener" }, icon("pen-to-square"), messages.editPage)
      )
    )
  }
  if (items.length === 0) return nothing
  return element(
    "details",
    { class: "menu page-actions" },
    element("summary", { "aria-label": messages.moreActions }, icon("copy"), icon("chevron-down")),
    element("ul", {}, items)
  )
}

const renderPageHead = (model: PageModel): Html => {
  const { layout, title, description } = model
  return element(
    "div",
    { class: "page-head" },
    renderBreadcrumbs(model),
    element(
      "h1",
      { id: model.titleId, class: layout.title ? undefined : "hidden-label" },
      model.icon,
      element("span", {}, title)
    ),
    layout.title && renderActions(model),
    layout.description && description !== undefined && element("p", { class: "lead" }, description)
  )
}

const renderPager = (frame: SiteFrame, previous: LinkItem | undefined, next: LinkItem | undefined): Html => {
  if (previous === undefined && next === undefined) return nothing
  const { messages } = frame
  return element(
    "nav",
    { class: "pager", "aria-label": messages.pagination },
    previous !== undefined &&
      element(
        "a",
        { class: "previous", href: previous.href, rel: "prev" },
        icon("chevron-left"),
        element("span", {}, element("small", {}, messages.previous), previous.title)
      ),
    next !== undefined &&
      element(
        "a",
        { class: "next", href: next.href, rel: "next" },
        element("span", {}, element("small", {}, messages.next), next.title),
        icon("chevron-right")
      )
  )
}

const renderOutline = ({ outline, frame }: PageModel): Html =>
  element(
    "aside",
    { class: "outline", "aria-label": frame.messages.onThisPage },
    outline.length > 0 && [
      element("p", {}, icon("align-left"), frame.messages.onThisPage),
      element(
        "ul",
        {},
        outline.map(({ id, text, level }) =>
          element("li", { class: `level-${level}` }, element("a", { href: anchorUrl(id) }, text))
        )
      )
    ]
  )

const renderUpdated = ({ updatedAt, frame: { messages }, layout }: PageModel): Content => {
  if (updatedAt === undefined || !layout.metadata) return nothing
  const date = new Intl.DateTimeFormat(messages.locale, { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(updatedAt)
  )
  return element(
    "p",
    { class: "page-meta" },
    element("time", { datetime: updatedAt }, messages.lastUpdated(date))
  )
}

/** Renders the form to rate a page. The message is displayed when the URL refers to it. */
const renderFeedback = ({ feedback, frame: { messages } }: PageModel): Html => {
  if (feedback === undefined) return nothing
  const { helpful, yes, no, thanks } = messages.feedback
  const button = (rating: string, iconName: string, label: string): Html =>
    element(
      "button",
      { name: "rating", value: rating, class: "button button-secondary" },
      icon(iconName),
      label
    )
  return element(
    "form",
    { class: "feedback", method: "post", action: feedback.action },
    element("span", {}, helpful),
    element("input", { type: "hidden", name: "page", value: feedback.page }),
    button("good", "thumbs-up", yes),
    button("bad", "thumbs-down", no),
    element("p", { id: "feedback-thanks", role: "status" }, thanks)
  )
}

/** Renders a page. */
export const renderPage = (model: PageModel): string => {
  const { frame, layout, cover, content } = model
  const hasPager = layout.pagination && frame.customization.pagination.enabled
  const coverElement =
    cover === undefined ? nothing : element("div", { class: classes("cover", cover.size) }, cover.image)
  return renderFramedPage(frame, {
    title: model.title,
    language: model.language,
    metadata: model.metadata,
    hasSidebar: layout.tableOfContents,
    outline: layout.outline ? renderOutline(model) : undefined,
    isWide: layout.width === "wide",
    main: fragment(
      cover?.size === "full" && coverElement,
      element(
        "article",
        { class: "page" },
        cover?.size === "hero" && coverElement,
        renderPageHead(model),
        element("div", { class: "content" }, content),
        hasPager && renderPager(frame, model.previous, model.next),
        renderFeedback(model),
        renderUpdated(model)
      )
    )
  })
}
