/** Builds the displays of APIs as HTML. */
import { boundedFromMarkdown } from "@lectern/formats/threads"
import type { ApiBuilder } from "@lectern/markdown/openapi"
import { element, type Html } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import { externalUrl } from "../html/urls.ts"
import { renderBlocks } from "./blocks.ts"
import { renderCode } from "./code.ts"
import type { Renderer } from "./Renderer.ts"

/**
 * Renders the Markdown of a description. Its headings would not fit the outline of the page, so that they are paragraphs,
 * and its blocks of OpenAPI are omitted, because these could contain themselves.
 */
const renderMarkdown = (renderer: Renderer, text: string): Html => {
  if (!renderer.takeMarkdown(text.length)) return element("p", {}, text)
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

/** Creates the builder of an operation or a schema of a page. `url` is that of its document, if it is known. */
export const makeHtmlBuilder = (renderer: Renderer, url: string | undefined): ApiBuilder<Html> => {
  const messages = renderer.context.messages.openApi
  return {
    messages,
    element,
    chevron: () => icon("chevron-right"),
    heading: (id, title) => renderer.heading(2, id, title, title),
    markdown: (text) => {
      const html = renderMarkdown(renderer, text)
      return html.text !== "" && html
    },
    code: (text, syntax) => renderCode(renderer, { text, syntax }),
    takeColors: (length) => renderer.takeColors(length),
    documentLink: () => {
      const href = url === undefined ? undefined : externalUrl(url)
      return (
        href !== undefined && [" ", element("a", { href, rel: "noopener noreferrer" }, messages.document)]
      )
    },
    componentId: (kind) => renderer.componentId(kind)
  }
}
