/** Builds the displays of APIs as HTML. */
import { boundedFromMarkdown } from "@lectern/formats/threads"
import type { ApiBuilder } from "@lectern/markdown/openapi"
import { element, type Html } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import { renderBlocks } from "./blocks.ts"
import { renderCode } from "./code.ts"
import type { Renderer } from "./Renderer.ts"

/** The maximum length of a description, in characters. */
const maximumDescriptionLength = 20_000

/** Matches text without any markup, which needs no parser. */
const plainText = /^[\p{L}\p{N} ,.;'"()/?\u2013\u2014-]*$/u

/**
 * Renders the Markdown of a description. Its headings would not fit the outline of the page, so that they are paragraphs,
 * and its blocks of OpenAPI are omitted, because these could contain themselves.
 */
const renderMarkdown = (renderer: Renderer, markdown: string): Html => {
  const text = markdown.slice(0, maximumDescriptionLength)
  if (plainText.test(text) || !renderer.takeMarkdown(text.length)) return element("p", {}, text)
  return renderer.withoutOpenApi(() =>
    renderBlocks(
      renderer,
      boundedFromMarkdown(text).nodes.map((block) =>
        block.type === "heading-1" || block.type === "heading-2" || block.type === "heading-3"
          ? { object: "block", type: "paragraph", nodes: block.nodes }
          : block
      )
    )
  )
}

/** Creates the builder of the displays of a page. */
export const makeHtmlBuilder = (renderer: Renderer): ApiBuilder<Html> => ({
  messages: renderer.context.messages.openApi,
  element,
  chevron: () => icon("chevron-right"),
  heading: (id, title) => renderer.heading(2, id, title, title),
  markdown: (given) => {
    const html = renderMarkdown(renderer, given)
    return html.text !== "" && html
  },
  code: (text, syntax) => renderCode(renderer, { text, syntax }),
  componentId: (kind) => renderer.componentId(kind)
})
