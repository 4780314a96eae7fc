/** Renders the footnotes at the end of a page. */
import type { Footnote } from "@lectern/core"
import { element, type Html, nothing } from "../html/Html.ts"
import { renderBlocks } from "./blocks.ts"
import type { Renderer } from "./Renderer.ts"

/** Renders footnotes. References in the text link to them by their labels. */
export const renderFootnotes = (renderer: Renderer, footnotes: ReadonlyArray<Footnote> | undefined): Html =>
  footnotes === undefined || footnotes.length === 0
    ? nothing
    : element(
        "section",
        { class: "footnotes", role: "doc-endnotes", "aria-label": renderer.context.messages.footnotes },
        element(
          "ol",
          {},
          footnotes.map(({ label, nodes }) =>
            element("li", { id: renderer.uniqueId(`fn-${label}`) }, renderBlocks(renderer, nodes))
          )
        )
      )
