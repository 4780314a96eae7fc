/** Converts a document to Markdown (see docs/decisions/0009-content-and-revisions.md). */

import type {
  Block,
  Code,
  Expandable,
  Heading,
  Images,
  Inline,
  JsonDocument,
  List,
  ListItem
} from "@lectern/model/document"
import type * as Mdast from "mdast"
import { withClosedHtml } from "./closedHtml.ts"
import { writeAnchor } from "./headingAnchors.ts"
import { writeBlock, writeCode, writeDrawing, writeFigures, writeSummary } from "./html/writeHtmlBlocks.ts"
import type { AddAnnotation } from "./html/writeHtmlInlines.ts"
import { needsHtml, writeTable } from "./html/writeHtmlTable.ts"
import { needsTag } from "./html/writeInlineElements.ts"
import { addFootnote, type Definitions, toImage, toPhrasing, toSingleLine } from "./inlinesToMarkdown.ts"
import { labelKey } from "./linkReferences.ts"
import { mathTag } from "./mathSyntax.ts"
import { type MarkdownStyle, stringify } from "./syntax.ts"
import { toTable } from "./tableToMarkdown.ts"
import { toCodeTags, toContainerTags, toVoidTags } from "./tagBlocksToMarkdown.ts"
import { FootnoteWriter } from "./writtenFootnotes.ts"

/** Converts a document to Markdown. For the result of `fromMarkdown`, it is the normalized input. */
export const toMarkdown = (document: JsonDocument): string => stringify(toRoot(withClosedHtml(document)))

/** The style of a part of a document. `htmlTables`: whether all tables are written as HTML. */
export type PartStyle = MarkdownStyle & { readonly htmlTables?: boolean }

/**
 * Converts a part of a document to Markdown in a style, without a line feed at the end and without the footnotes of its
 * annotations. `whole` is the data of the whole document, which references in the part refer to.
 */
export const partToMarkdown = (
  part: JsonDocument,
  whole: JsonDocument["data"],
  { htmlTables = false, ...style }: PartStyle
): string => {
  const definitions = toDefinitions(whole)
  definitions.writesHtmlTables = htmlTables
  const { children } = toRoot(part, definitions, false)
  return stringify({ type: "root", children }, style).replace(/\n$/, "")
}

const toDefinitions = (data: JsonDocument["data"]): FootnoteWriter => {
  const definitions = new FootnoteWriter((data.footnotes ?? []).map(({ label }) => label))
  for (const definition of data.definitions ?? []) {
    const key = labelKey(definition.label)
    if (!definitions.has(key)) definitions.set(key, definition)
  }
  return definitions
}

const toRoot = (
  { data, nodes }: JsonDocument,
  definitions = toDefinitions(data),
  hasAnnotationBodies = true
): Mdast.Root => {
  const children: Array<Mdast.RootContent> = toContent(nodes, definitions)
  const last = children.at(-1)
  const definitionNodes: Array<Mdast.RootContent> = [
    ...(data.footnotes ?? []).map(
      ({ label, nodes }): Mdast.FootnoteDefinition => ({
        type: "footnoteDefinition",
        identifier: label.toLowerCase(),
        label,
        children: toContent(nodes, definitions)
      })
    ),
    ...(hasAnnotationBodies ? definitions.footnotes : []),
    ...(data.definitions ?? [])
      .filter(({ inText }) => inText !== true)
      .map(
        ({ label, url, title }): Mdast.Definition => ({
          type: "definition",
          identifier: label.toLowerCase(),
          label,
          url,
          title: title ?? null
        })
      )
  ]
  // Unclosed HTML extends to the end of the output and would include the nodes after it.
  if (last?.type === "html") children.splice(-1, 0, ...definitionNodes)
  else children.push(...definitionNodes)
  return { type: "root", children }
}

type Content = Mdast.BlockContent

const toContent = (blocks: ReadonlyArray<Block>, definitions: Definitions): Array<Content> =>
  blocks.flatMap((block): Array<Content> => {
    switch (block.type) {
      case "paragraph":
        return needsAlignment(block.data?.align)
          ? [toHtml(writeBlock(block, noteWriter(definitions)))]
          : [{ type: "paragraph", children: withoutMathBlock(toPhrasing(block.nodes, definitions)) }]
      case "heading-1":
      case "heading-2":
      case "heading-3":
        return needsAlignment(block.data.align)
          ? [toHtml(writeBlock(block, noteWriter(definitions)))]
          : [toHeading(block, definitions)]
      case "divider":
        return [{ type: "thematicBreak" }]
      case "code":
        return toCode(block)
      case "images":
        return toImages(block, definitions)
      case "table":
        return needsHtml(block) || (definitions instanceof FootnoteWriter && definitions.writesHtmlTables)
          ? [toHtml(writeTable(block, noteWriter(definitions)))]
          : [toTable(block, definitions)]
      case "blockquote":
        return [{ type: "blockquote", children: toContent(block.nodes, definitions) }]
      case "list-ordered":
      case "list-unordered":
      case "list-tasks":
        return toList(block, definitions)
      case "hint":
      case "tabs":
      case "stepper":
      case "columns":
      case "if":
      case "updates":
        return toContainerTags(block, (blocks) => toContent(blocks, definitions))
      case "expandable":
        return toExpandable(block, definitions)
      case "drawing":
        return [toHtml(writeDrawing(block))]
      default:
        return toVoidTags(block, definitions)
    }
  })

/** Writes a formula that is the only content of a paragraph as a tag: between dollars, it would be a block. */
const withoutMathBlock = (children: Array<Mdast.PhrasingContent>): Array<Mdast.PhrasingContent> => {
  const [first, ...others] = children
  return first?.type === "inlineMath" && others.length === 0
    ? [{ type: "html", value: mathTag(first.value) }]
    : children
}

const needsAlignment = (align: string | undefined): boolean => align === "center" || align === "end"

/** Creates a block of HTML, which is separated from the next one by an empty line. */
const toHtml = (value: string): Mdast.Html => ({ type: "html", value, data: { isSeparate: true } })

const noteWriter =
  (definitions: Definitions): AddAnnotation =>
  (node) =>
    addFootnote(node, definitions) ?? "1"

const toImages = (block: Images, definitions: Definitions): Array<Content> => {
  if (block.nodes.length === 0) return []
  const { markdown, ...settings } = block.data
  const isParagraph = markdown === "paragraph" && Object.keys(settings).length === 0
  if (!isParagraph || block.nodes.some(needsFigure)) {
    return [toHtml(writeFigures(block, noteWriter(definitions)))]
  }
  const children = block.nodes.flatMap((image, index): Array<Mdast.PhrasingContent> => {
    const caption = image.fragments[0]?.nodes.map((node) => textOf(node.nodes)).join(" ")
    const node = toImage(image.data, caption, definitions)
    return index === 0 ? [node] : [{ type: "text", value: "\n" }, node]
  })
  return [{ type: "paragraph", children }]
}

/** Whether an image has fields that only a figure represents. */
const needsFigure = ({ data, fragments }: Images["nodes"][number]): boolean =>
  needsTag(data) ||
  fragments.some(({ nodes }) => nodes.length > 1 || nodes.some(({ nodes }) => !isPlain(nodes)))

const isPlain = (nodes: ReadonlyArray<Inline>): boolean =>
  nodes.every(
    (node) => node.object === "text" && node.leaves.every(({ marks, data }) => marks.length === 0 && !data)
  )

const toHeading = ({ type, nodes, data }: Heading, definitions: Definitions): Mdast.Heading => {
  const depth = type === "heading-1" ? 1 : type === "heading-2" ? 2 : (data.depth ?? 3)
  const children = depth > 2 ? toSingleLine(nodes, definitions) : toPhrasing(nodes, definitions)
  if (data.anchor !== undefined) {
    children.push({ type: "text", value: " " }, { type: "html", value: writeAnchor(data.anchor) })
  }
  return { type: "heading", depth, children }
}

const textOf = (nodes: ReadonlyArray<Inline>): string =>
  nodes
    .flatMap((node) => (node.object === "text" ? node.leaves : []))
    .map((leaf) => leaf.text)
    .join("")

const toCode = (block: Code): Array<Content> => {
  if (block.nodes.some(({ data }) => data.highlighted === true)) return [toHtml(writeCode(block))]
  const value = block.nodes.map((line) => textOf(line.nodes)).join("\n")
  const { markdown, syntax, meta } = block.data
  if (markdown !== undefined) return [{ type: "html", value }]
  return toCodeTags(block.data, { type: "code", lang: syntax ?? null, meta: meta ?? null, value })
}

const toExpandable = ({ open, fragments }: Expandable, definitions: Definitions): Array<Content> => {
  const title = fragments.find((fragment) => fragment.fragment === "expandable-title")
  const body = fragments.find((fragment) => fragment.fragment === "expandable-body")
  const inlines = title?.nodes.flatMap(({ nodes }) => nodes) ?? []
  return [
    toHtml(open === true ? "<details open>" : "<details>"),
    toHtml(writeSummary(inlines, noteWriter(definitions))),
    ...toContent(body?.nodes ?? [], definitions),
    toHtml("</details>")
  ]
}

const toList = (list: List, definitions: Definitions): Array<Content> => {
  if (list.nodes.length === 0) return []
  const spread = list.nodes.some((item) => item.data?.spread === true)
  return [
    {
      type: "list",
      ordered: list.type === "list-ordered",
      start: list.type === "list-ordered" ? (list.data?.start ?? 1) : null,
      spread,
      children: list.nodes.map((item) => toItem(item, spread, definitions))
    }
  ]
}

const toItem = ({ data, nodes }: ListItem, spread: boolean, definitions: Definitions): Mdast.ListItem => {
  const children = toContent(nodes, definitions)
  const checked = data?.checked ?? null
  const [first] = children
  // The checkbox of a task must be the start of a paragraph with text.
  if (checked !== null && !(first?.type === "paragraph" && first.children.length > 0)) {
    if (first?.type === "paragraph") children.shift()
    children.unshift({ type: "paragraph", children: [{ type: "text", value: " " }] })
  }
  return { type: "listItem", spread, checked, children }
}
