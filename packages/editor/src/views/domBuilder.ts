/** Creates the elements of displays of APIs, as the reader's HTML has them. */
import { DOMSerializer } from "prosemirror-model"
import type { EditorContext } from "../context.ts"
import { fromDocument } from "../convert.ts"
import { blocksFromMarkdown } from "../markdown.ts"
import type { ApiBuilder, ApiContent } from "../openApi.ts"
import { element, iconElement, uniqueId } from "../ui/dom.ts"
import { codeFigure } from "./codeFigure.ts"

/** The maximum length of the Markdown of one block, in characters. */
const maximumMarkdown = 100_000

const append = (into: HTMLElement, content: ApiContent<Node>): void => {
  if (content === undefined || content === false || content === "") return
  if (Array.isArray(content)) for (const part of content) append(into, part as ApiContent<Node>)
  else into.append(content as Node | string)
}

/** Displays Markdown by the elements of the schema. Blocks of other resources are omitted: descriptions could contain themselves. */
const renderMarkdown = (text: string): Node => {
  const { content } = fromDocument(blocksFromMarkdown(text))
  const serializer = DOMSerializer.fromSchema(content.firstChild!.type.schema)
  const rendered = serializer.serializeFragment(content)
  if (rendered instanceof DocumentFragment)
    for (const void_ of rendered.querySelectorAll(".editor-void")) void_.remove()
  return rendered
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
      return renderMarkdown(text)
    },
    code: (text, syntax) => codeFigure(text, { syntax, label: context.messages.nodes.code ?? "" }),
    takeColors: () => true,
    documentLink: () => undefined,
    componentId: (kind) => uniqueId(kind)
  }
}
