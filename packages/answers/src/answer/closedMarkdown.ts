/**
 * Closes the Markdown of a model. Its text is hostile until it has passed here: only paragraphs, headings, lists, quotations, tables, code,
 * emphasis and links to cited pages remain. HTML, images, tags, formulas, footnotes and other links become text or are omitted.
 */
import { fromMarkdown, isVerbatim, parse, stringify } from "@lectern/markdown"
import { isCheapToParse } from "@lectern/markdown/document"
import type { JsonDocument } from "@lectern/model/document"
import type * as Mdast from "mdast"
import { closeInlines, closeText, type ResolveCitation } from "./closedText.ts"
import { isClosedDocument } from "./isClosedDocument.ts"

/** An answer whose content is closed, as Markdown and as a document. */
export interface ClosedAnswer {
  /** The content as Markdown. */
  readonly markdown: string
  /** The content as a document. */
  readonly document: JsonDocument
  /** The numbers of the cited sources, in the order of their citations. */
  readonly cited: ReadonlyArray<number>
}

/** The least depth of a heading: an answer is a part of another page. */
const minimumDepth = 3

const paragraph = (children: Array<Mdast.PhrasingContent>): ReadonlyArray<Mdast.Paragraph> =>
  children.length === 0 ? [] : [{ type: "paragraph", children }]

const depthOf = (depth: number): Mdast.Heading["depth"] =>
  Math.min(6, Math.max(minimumDepth, depth)) as Mdast.Heading["depth"]

const closeTable = (node: Mdast.Table, resolve: ResolveCitation): Mdast.Table => ({
  type: "table",
  align: node.align ?? [],
  children: node.children.map((row) => ({
    type: "tableRow",
    children: row.children.map((cell) => ({
      type: "tableCell",
      children: closeInlines(cell.children, resolve).filter(({ type }) => type !== "break")
    }))
  }))
})

const closeBlocks = (
  nodes: ReadonlyArray<Mdast.RootContent>,
  resolve: ResolveCitation
): Array<Mdast.BlockContent> =>
  nodes.flatMap((node): ReadonlyArray<Mdast.BlockContent> => {
    switch (node.type) {
      case "paragraph":
        return paragraph(closeInlines(node.children, resolve))
      case "heading": {
        const children = closeInlines(node.children, resolve)
        return children.length === 0 ? [] : [{ type: "heading", depth: depthOf(node.depth), children }]
      }
      case "blockquote": {
        const children = closeBlocks(node.children, resolve)
        return children.length === 0 ? [] : [{ type: "blockquote", children }]
      }
      case "list": {
        const children = node.children
          .map((item) => closeBlocks(item.children, resolve))
          .filter((blocks) => blocks.length > 0)
          .map((blocks): Mdast.ListItem => ({ type: "listItem", spread: false, children: blocks }))
        const start = node.ordered === true ? { start: node.start ?? 1 } : {}
        return children.length === 0
          ? []
          : [{ type: "list", ordered: node.ordered === true, ...start, spread: false, children }]
      }
      case "code":
        return [
          { type: "code", lang: /^[\w+#.-]{1,30}$/.exec(node.lang ?? "")?.[0] ?? null, value: node.value }
        ]
      case "table":
        return [closeTable(node, resolve)]
      case "thematicBreak":
        return [{ type: "thematicBreak" }]
      case "definition":
      case "footnoteDefinition":
        return []
      case "html":
        // The tags of hints and other blocks are omitted.
        return node.value.startsWith("{%") ? [] : paragraph([...closeText(node.value, resolve)])
      default:
        return "value" in node ? paragraph([...closeText(node.value, resolve)]) : []
    }
  })

/** An answer that displays text as code, for text that could not be closed. */
const asCode = (text: string): ClosedAnswer => {
  const markdown = stringify({ type: "root", children: [{ type: "code", value: text }] })
  return { markdown, document: fromMarkdown(markdown), cited: [] }
}

/**
 * Closes an answer. The result is parsed again, and is displayed as code if it contained anything else than is permitted: a
 * difference between the parser and the serializer must not open it. An answer whose text or result takes long to parse is
 * displayed as code too: it is closed on the event loop, again with each update.
 */
export const closeAnswer = (text: string, resolve: ResolveCitation): ClosedAnswer => {
  if (!isCheapToParse(text)) return asCode(text)
  const cited = new Set<number>()
  const urls = new Set<string>()
  const root = parse(text)
  if (isVerbatim(root)) return asCode(text)
  const children = closeBlocks(root.children, (number) => {
    const url = resolve(number)
    if (url !== undefined) {
      cited.add(number)
      urls.add(url)
    }
    return url
  })
  const markdown = stringify({ type: "root", children })
  if (!isCheapToParse(markdown)) return asCode(text)
  const document = fromMarkdown(markdown)
  return isClosedDocument(document, urls) ? { markdown, document, cited: [...cited] } : asCode(text)
}
