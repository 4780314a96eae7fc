/** Renders blocks that contain blocks: hints, tabs, steps, columns, changelogs and expandable blocks. */
import type { DocumentBlock } from "@lectern/core"
import { expandableAnchorOf, gitBookAnchorsOf } from "@lectern/formats/threads"
import { hasCalendarDate } from "@lectern/model/schema"
import { classes, element, type Html } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import { anchorUrl } from "../html/urls.ts"
import { renderBlocks } from "./blocks.ts"
import { expandableTitleOf } from "./headings.ts"
import { percentClass } from "./images.ts"
import { renderInlines } from "./inlines.ts"
import type { Renderer } from "./Renderer.ts"

const hintIcons = {
  info: "circle-info",
  success: "circle-check",
  warning: "circle-exclamation",
  danger: "triangle-exclamation"
} as const

/** Renders a box that emphasizes its blocks. */
export const renderHint = (renderer: Renderer, { data, nodes }: DocumentBlock.Hint): Html =>
  element(
    "div",
    { class: `hint ${data.style}`, role: "note", "aria-label": renderer.context.messages.hints[data.style] },
    element("div", { class: "hint-icon" }, icon(data.icon) ?? icon(hintIcons[data.style])),
    element("div", { class: "hint-body" }, renderBlocks(renderer, nodes))
  )

/**
 * Renders tabs. Without JavaScript, all of them are visible, each with its title. With JavaScript, the first is selected;
 * the script of the page switches between them.
 */
export const renderTabs = (renderer: Renderer, { data, nodes }: DocumentBlock.Tabs): Html => {
  const tabs = nodes.map((item, index) => ({
    item,
    title: item.data.title ?? renderer.context.messages.tab(index + 1),
    tab: renderer.componentId("tab"),
    panel: renderer.uniqueId(item.data.title === undefined ? "panel" : `tab-${item.data.title.toLowerCase()}`)
  }))
  return element(
    "div",
    { class: classes("tabs", data?.fullWidth === true && "full-width") },
    element(
      "div",
      { class: "tab-list js-only", role: "tablist" },
      tabs.map(({ item, title, tab, panel }, index) =>
        element(
          "button",
          {
            type: "button",
            role: "tab",
            id: tab,
            "aria-controls": panel,
            "aria-selected": index === 0 ? "true" : "false",
            tabindex: index === 0 ? undefined : "-1"
          },
          icon(item.data.icon),
          title
        )
      )
    ),
    tabs.map(({ item, title, tab, panel }, index) =>
      element(
        "section",
        {
          id: panel,
          class: classes("tab-panel", index > 0 && "unselected"),
          role: "tabpanel",
          "aria-labelledby": tab,
          tabindex: "0"
        },
        element("p", { class: "tab-title", "aria-hidden": "true" }, title),
        renderBlocks(renderer, item.nodes)
      )
    )
  )
}

/** Renders a numbered sequence of steps. */
export const renderStepper = (renderer: Renderer, { nodes }: DocumentBlock.Stepper): Html =>
  element(
    "ol",
    { class: "stepper" },
    nodes.map(({ data, nodes: blocks }) => {
      const stepIcon = icon(data.icon)
      return element(
        "li",
        { class: stepIcon === undefined ? undefined : "with-icon" },
        stepIcon !== undefined && element("span", { class: "step-icon" }, stepIcon),
        element("div", { class: "step-body" }, renderBlocks(renderer, blocks))
      )
    })
  )

/** Renders columns next to each other. On a narrow screen, they are below each other. */
export const renderColumns = (renderer: Renderer, { data, nodes }: DocumentBlock.Columns): Html =>
  element(
    "div",
    { class: classes("columns", data.fullWidth === true && "full-width") },
    nodes.map(({ data: column, nodes: blocks }) =>
      element(
        "div",
        {
          class: classes(
            "column",
            percentClass(column.width),
            column.verticalAlignment && `valign-${column.verticalAlignment}`
          )
        },
        renderBlocks(renderer, blocks)
      )
    )
  )

/** Formats a date in the language of the site; other text is not changed. */
const formatDate = (date: string, locale: string): string => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return date
  return hasCalendarDate(date)
    ? new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(
        new Date(`${date}T00:00:00Z`)
      )
    : date
}

/** Renders a changelog. */
export const renderUpdates = (renderer: Renderer, { nodes }: DocumentBlock.Updates): Html =>
  element(
    "div",
    { class: "updates" },
    nodes.map(({ data, nodes: blocks }) => {
      const id = data.date === undefined ? undefined : renderer.uniqueId(`update-${data.date}`)
      return element(
        "article",
        { class: "update", id },
        element(
          "div",
          { class: "update-meta" },
          data.date !== undefined &&
            element(
              "a",
              { href: anchorUrl(id!) },
              element(
                "time",
                { datetime: data.date },
                formatDate(data.date, renderer.context.messages.locale)
              )
            ),
          (data.tags ?? []).length > 0 &&
            element(
              "ul",
              { class: "badges" },
              data.tags!.map((tag) => element("li", { class: "badge" }, tag.trim()))
            )
        ),
        element("div", { class: "update-body" }, renderBlocks(renderer, blocks))
      )
    })
  )

/** Renders blocks that readers expand by their title. */
export const renderExpandable = (renderer: Renderer, { open, fragments }: DocumentBlock.Expandable): Html => {
  const title = fragments.find(({ type }) => type === "expandable-title") as
    | DocumentBlock.ExpandableTitle
    | undefined
  const body = fragments.find(({ type }) => type === "expandable-body") as
    | DocumentBlock.ExpandableBody
    | undefined
  const text = expandableTitleOf(fragments)
  const anchor = expandableAnchorOf(text)
  return element(
    "details",
    {
      class: "expandable",
      open: open === true,
      id: anchor === "" ? undefined : renderer.uniqueId(anchor)
    },
    element(
      "summary",
      {},
      renderer.aliasElements(gitBookAnchorsOf(text)),
      icon("chevron-right"),
      element(
        "span",
        {},
        title?.nodes.map(({ nodes }) => renderInlines(renderer, nodes))
      )
    ),
    element("div", { class: "expandable-body" }, renderBlocks(renderer, body?.nodes ?? []))
  )
}
