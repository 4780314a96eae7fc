/** Creates the elements of displays of APIs, as the reader's HTML has them. */
import type { ApiBuilder, ApiContent } from "@lectern/markdown/openapi"
import { maximumMarkdown } from "../apiPart.ts"
import type { EditorContext } from "../context.ts"
import { blocksFromMarkdown } from "../markdown.ts"
import { element, iconElement, uniqueId } from "../ui/dom.ts"
import { codeFigure } from "./codeFigure.ts"
import { renderBlocks } from "./renderBlocks.ts"

const append = (into: HTMLElement, content: ApiContent<Node>): void => {
  if (content === undefined || content === false || content === "") return
  if (Array.isArray(content)) for (const part of content) append(into, part as ApiContent<Node>)
  else into.append(content as Node | string)
}

/** Creates a builder of elements for one block. */
export const makeDomBuilder = (context: EditorContext): ApiBuilder<Node> => {
  let markdownLeft = maximumMarkdown
  return {
    messages: context.messages.api,
    element: (name, attributes, ...content) => {
      const created = element(name, attributes)
      append(created, content)
      return created
    },
    chevron: () => iconElement("chevron-right"),
    heading: (_, title) => element("h2", { class: "heading h-2" }, title),
    markdown: (text) => {
      if (text.length > markdownLeft) return element("p", {}, text)
      markdownLeft -= text.length
      return renderBlocks(blocksFromMarkdown(text))
    },
    code: (text, syntax) => codeFigure(text, { syntax, label: context.messages.nodes.code ?? "" }),
    takeColors: () => true,
    documentLink: () => undefined,
    componentId: (kind) => uniqueId(kind)
  }
}
