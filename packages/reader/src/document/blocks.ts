/** Renders the blocks of a document. */
import type { DocumentBlock } from "@lectern/core"
import { type Content, element, fragment, type Html, nothing } from "../html/Html.ts"
import { renderCode } from "./code.ts"
import {
  renderColumns,
  renderExpandable,
  renderHint,
  renderStepper,
  renderTabs,
  renderUpdates
} from "./containers.ts"
import type { Block } from "./DocumentContext.ts"
import { renderContentRef, renderEmbed, renderFile } from "./embeds.ts"
import { aliasesOf, preferredIdOf } from "./headings.ts"
import { renderDrawing, renderImages } from "./images.ts"
import { inlineMethodAt } from "./inlineMethods.ts"
import { plainTextOf, renderInlines } from "./inlines.ts"
import { renderInlineMethod, renderOpenApiBlock } from "./openApiBlocks.ts"
import type { Renderer } from "./Renderer.ts"
import { renderRawHtml } from "./rawHtml.ts"
import { renderTable } from "./tables.ts"

/** The blocks of lists, quotes and table cells, which are similar. */
type AnyBlock = Block | DocumentBlock.CellBlock

const headingDepth = (block: DocumentBlock.Heading): number =>
  block.type === "heading-1" ? 1 : block.type === "heading-2" ? 2 : (block.data.depth ?? 3)

const alignClass = (align: string | undefined): string | undefined =>
  align === undefined || align === "start" ? undefined : `text-${align}`

const renderHeading = (renderer: Renderer, block: DocumentBlock.Heading): Html => {
  const text = plainTextOf(block.nodes)
  return renderer.heading(
    headingDepth(block),
    preferredIdOf(block),
    text,
    renderInlines(renderer, block.nodes),
    {
      className: alignClass(block.data.align),
      aliases: aliasesOf(block)
    }
  )
}

const renderParagraph = (renderer: Renderer, { nodes, data }: DocumentBlock.Paragraph): Html => {
  const content = renderInlines(renderer, nodes)
  // Comments and other markup without content leave an empty paragraph.
  return content.text.trim() === "" ? nothing : element("p", { class: alignClass(data?.align) }, content)
}

/** An item of a list, in a page or in a cell of a table. */
interface AnyItem {
  readonly data?: { readonly checked?: boolean; readonly spread?: boolean }
  readonly nodes: ReadonlyArray<AnyBlock>
}

const renderItem = (renderer: Renderer, item: AnyItem, isTask: boolean): Html => {
  const [first, ...rest] = item.nodes
  // A single paragraph is the text of the item, without the margins of a paragraph.
  const content: Content =
    first?.type === "paragraph" && item.data?.spread !== true
      ? [renderInlines(renderer, first.nodes), renderBlocks(renderer, rest)]
      : renderBlocks(renderer, item.nodes)
  if (!isTask) return element("li", {}, content)
  const checked = item.data?.checked === true
  const { done, notDone } = renderer.context.messages
  return element(
    "li",
    { class: "task" },
    element("input", { type: "checkbox", disabled: true, checked, "aria-label": checked ? done : notDone }),
    element("div", {}, content)
  )
}

const renderList = (
  renderer: Renderer,
  type: "list-ordered" | "list-unordered" | "list-tasks",
  items: ReadonlyArray<AnyItem>,
  start: unknown
): Html => {
  const content = items.map((item) => renderItem(renderer, item, type === "list-tasks"))
  return type === "list-ordered"
    ? element("ol", { start: typeof start === "number" && start !== 1 ? start : undefined }, content)
    : element("ul", { class: type === "list-tasks" ? "tasks" : undefined }, content)
}

const renderMath = (renderer: Renderer, formula: string): Html =>
  element(
    "div",
    { class: "math", tabindex: "0", role: "group", "aria-label": renderer.context.messages.formula },
    renderer.context.math(formula, true) ?? element("pre", {}, element("code", {}, formula))
  )

const renderIntegration = (renderer: Renderer, { data }: DocumentBlock.IntegrationBlock): Html => {
  const { content } = data.props
  const url = data.url ?? data.props.url
  if (typeof content === "string" && content !== "") {
    return renderCode(renderer, {
      text: content,
      syntax: data.integration,
      title: `${data.integration} ${data.block}`
    })
  }
  if (typeof url === "string")
    return renderEmbed(renderer, { url, caption: undefined, fullWidth: data.fullWidth === true })
  return nothing
}

const renderBlock = (renderer: Renderer, block: AnyBlock): Content => {
  switch (block.type) {
    case "paragraph":
      return renderParagraph(renderer, block)
    case "heading-1":
    case "heading-2":
    case "heading-3":
      return renderHeading(renderer, block)
    case "divider":
      return element("hr", {})
    case "blockquote":
      return element("blockquote", {}, renderBlocks(renderer, block.nodes))
    case "list-ordered":
    case "list-unordered":
    case "list-tasks":
      return renderList(renderer, block.type, block.nodes, block.data?.start)
    case "code":
      return renderCodeBlock(renderer, block)
    case "table":
      return renderTable(renderer, block)
    case "images":
      return renderImages(renderer, block)
    case "drawing":
      return renderDrawing(renderer, block)
    case "hint":
      return renderHint(renderer, block)
    case "tabs":
      return renderTabs(renderer, block)
    case "stepper":
      return renderStepper(renderer, block)
    case "columns":
      return renderColumns(renderer, block)
    case "updates":
      return renderUpdates(renderer, block)
    case "expandable":
      return renderExpandable(renderer, block)
    case "if":
      return renderCondition(renderer, block)
    // Reusable contents are expanded before a document is rendered. One that remains does not exist.
    case "reusable-content":
      return nothing
    case "embed":
      return renderEmbed(renderer, {
        url: block.data.url,
        caption: block.fragments?.[0]?.nodes,
        fullWidth: block.data.fullWidth === true
      })
    case "content-ref":
      return renderContentRef(renderer, block)
    case "file":
      return renderFile(renderer, block)
    case "math":
      return renderMath(renderer, block.data.formula)
    case "swagger":
    case "openapi-operation":
    case "openapi-webhook":
    case "openapi-schemas":
      return renderOpenApiBlock(renderer, block)
    case "integration":
      return renderIntegration(renderer, block)
  }
}

/**
 * Renders conditional blocks with their condition, in previews. For visitors, conditions are evaluated before the document is
 * rendered: one that remains was not evaluated, so that its blocks are omitted.
 */
const renderCondition = (renderer: Renderer, { data, nodes }: DocumentBlock.If): Html =>
  renderer.context.showsConditions
    ? element(
        "div",
        { class: "condition" },
        element("p", {}, element("code", {}, data.expression)),
        renderBlocks(renderer, nodes)
      )
    : nothing

/** Returns the text of a code block. */
export const textOfCode = ({ nodes }: DocumentBlock.Code): string =>
  nodes
    .map((line) => line.nodes.map(({ leaves }) => leaves.map(({ text }) => text).join("")).join(""))
    .join("\n")

const renderCodeBlock = (renderer: Renderer, block: DocumentBlock.Code): Html => {
  const { data } = block
  const text = textOfCode(block)
  switch (data.markdown) {
    case "html":
      return renderRawHtml(renderer, text)
    case "tag":
      return nothing
    case "verbatim":
      return element("div", { class: "verbatim" }, text)
    default:
      return renderCode(renderer, {
        text,
        syntax: data.syntax,
        title: data.title,
        hasLineNumbers: data.lineNumbers === true,
        wraps: data.overflow === "wrap",
        isExpandable: data.expandable === true,
        fullWidth: data.fullWidth === true,
        highlighted: new Set(
          block.nodes.flatMap((line, index) => (line.data.highlighted === true ? [index] : []))
        )
      })
  }
}

/** Divides blocks to parts that are rendered separately: single blocks, and methods of an API that tags describe. */
export const partsOf = <B extends AnyBlock>(blocks: ReadonlyArray<B>): ReadonlyArray<ReadonlyArray<B>> => {
  const parts: Array<ReadonlyArray<B>> = []
  for (let at = 0; at < blocks.length; ) {
    const end = inlineMethodAt(blocks, at)?.end ?? at + 1
    parts.push(blocks.slice(at, end))
    at = end
  }
  return parts
}

/** Renders the blocks of a list, in which tags can describe methods of an API. */
const renderEach = (renderer: Renderer, blocks: ReadonlyArray<AnyBlock>): ReadonlyArray<Content> => {
  const rendered: Array<Content> = []
  for (let at = 0; at < blocks.length; ) {
    const method = inlineMethodAt(blocks, at)
    rendered.push(
      method === undefined ? renderBlock(renderer, blocks[at]!) : renderInlineMethod(renderer, method)
    )
    at = method?.end ?? at + 1
  }
  return rendered
}

/** Renders blocks. Blocks that are nested too deep are omitted. */
export const renderBlocks = (renderer: Renderer, blocks: ReadonlyArray<AnyBlock>): Html =>
  fragment(renderer.nested(() => renderEach(renderer, blocks)))
