/** Renders the blocks of a page: headings, paragraphs, lists, quotes, code, tables, and footnotes. */
import GithubSlugger from "github-slugger"
import type { Blockquote, Heading, List, ListItem, Root, RootContent } from "mdast"
import { type Flow, type Frame, inset, wholeFrame } from "./Flow.ts"
import { parseHtml } from "./html.ts"
import { type Span, type Style, toSingleLine } from "./lines.ts"
import { footnoteAnchor, headingText, type PageSource } from "./spans.ts"
import { addTable } from "./tables.ts"
import { colors, space, styles } from "./theme.ts"

/** Called for each heading of a page, for the outline. */
export type OnHeading = (title: string, level: number) => void

/** The bullets of nested lists, by depth. */
const bullets = ["•", "◦", "▪"]

/** Renders the Markdown of one page into a {@link Flow}. */
export class Blocks {
  private readonly flow: Flow
  private readonly source: PageSource
  private readonly onHeading: OnHeading
  private readonly slugger = new GithubSlugger()
  private listDepth = 0

  constructor(flow: Flow, source: PageSource, onHeading: OnHeading) {
    this.flow = flow
    this.source = source
    this.onHeading = onHeading
  }

  /** Adds the text of the page, and then its footnotes. */
  addPage(root: Root): void {
    this.addBlocks(root.children, wholeFrame, styles.body)
    this.addFootnotes()
  }

  private addBlocks(
    nodes: ReadonlyArray<RootContent>,
    frame: Frame,
    style: Style,
    gap: number = space.block
  ): void {
    let isFirst = true
    for (const node of nodes) {
      if (node.type === "definition" || node.type === "footnoteDefinition" || isBlank(node)) continue
      if (!isFirst) this.flow.addGap(gap)
      isFirst = false
      this.addNode(node, frame, style)
    }
  }

  private addNode(node: RootContent, frame: Frame, style: Style): void {
    switch (node.type) {
      case "paragraph":
        this.flow.addText(this.source.toSpans(node.children, style), frame, style)
        break
      case "heading":
        this.addHeading(node, frame)
        break
      case "thematicBreak":
        this.flow.addBlock(12, (top) => {
          this.flow.document.rect(frame.left, top + 6, frame.width, 0.75).fill(colors.rule)
        })
        break
      case "blockquote":
        this.addQuote(node, frame)
        break
      case "list":
        this.addList(node, frame, style)
        break
      case "code":
        this.addLiteral(node.value, frame)
        break
      case "math":
        this.addLiteral(node.value, frame)
        break
      case "html":
        this.addHtml(node.value, frame, style)
        break
      case "table":
        addTable(this.flow, this.source, node, frame)
        break
    }
  }

  private addHeading(node: Heading, frame: Frame): void {
    const style = styles.headings[node.depth - 1]!
    const title = headingText(node.children).trim()
    this.flow.addGap(space.heading - space.block)
    // A heading must be on the same page as the lines that follow it.
    this.flow.ensureHeight(style.size * 1.5 + 40)
    this.flow.addDestination(this.source.destination(this.slugger.slug(title)))
    if (title !== "") this.onHeading(title.replace(/\s+/g, " "), node.depth)
    this.flow.addText(this.source.toSpans(node.children, style), frame, style)
  }

  private addQuote(node: Blockquote, frame: Frame): void {
    this.flow.withQuoteBar(frame.left, () => this.addBlocks(node.children, inset(frame, 14), styles.quiet))
  }

  private addList(node: List, frame: Frame, style: Style): void {
    const inner = inset(frame, space.indent)
    const bullet = bullets[Math.min(this.listDepth++, bullets.length - 1)]!
    let number = node.start ?? 1
    let isFirst = true
    for (const item of node.children) {
      if (!isFirst) this.flow.addGap(node.spread === true ? space.block * 0.7 : space.item)
      isFirst = false
      this.addItemMarker(item, node.ordered === true ? `${number++}.` : bullet, inner, style)
      this.addBlocks(item.children, inner, style, item.spread === true ? space.block * 0.7 : space.item)
      this.flow.flushMarkers(style)
    }
    this.listDepth--
  }

  private addItemMarker(item: ListItem, bullet: string, inner: Frame, style: Style): void {
    const marker = item.checked === true ? "☑" : item.checked === false ? "☐" : bullet
    const line = toSingleLine(this.flow.fonts, marker, { ...style, face: "regular" }, 60)
    this.flow.addMarker(line, inner.left - line.width - 6)
  }

  /** Adds text verbatim: in a monospaced font on a shaded background, with its line breaks and whitespace. */
  addLiteral(value: string, frame: Frame): void {
    const { flow } = this
    const inner = { left: frame.left + 9, width: frame.width - 18 }
    const drawShade = (top: number, height: number) =>
      flow.document.rect(frame.left, top, frame.width, height).fill(colors.shade)
    const addPadding = () => flow.addBlock(6, (top) => drawShade(top, 6))
    flow.ensureHeight(40)
    addPadding()
    for (const text of value.split("\n")) {
      const spans: ReadonlyArray<Span> = [{ text, style: styles.code }]
      for (const line of flow.breakLines(spans, inner, styles.code)) {
        flow.addLine(line, inner.left, (top, height) => drawShade(top, height + 0.3))
      }
    }
    addPadding()
  }

  private addHtml(value: string, frame: Frame, style: Style): void {
    const spans: Array<Span> = []
    this.source.addHtml(value, style, spans)
    const lines = this.flow.breakLines(spans, frame, style).filter(({ pieces }) => pieces.length > 0)
    for (const line of lines) this.flow.addLine(line, frame.left)
  }

  /** Adds the numbered footnotes of the page. */
  private addFootnotes(): void {
    if (this.source.footnotes.size === 0) return
    const { flow } = this
    const small = { ...styles.body, size: 9 }
    flow.addGap(space.heading)
    flow.ensureHeight(40)
    flow.addBlock(8, (top) => flow.document.rect(wholeFrame.left, top, 120, 0.75).fill(colors.rule))
    const inner = inset(wholeFrame, space.indent)
    for (const [label, { number, node }] of this.source.footnotes) {
      flow.ensureHeight(20)
      flow.addDestination(this.source.destination(footnoteAnchor(label)))
      const line = toSingleLine(flow.fonts, `${number}.`, small, 60)
      flow.addMarker(line, inner.left - line.width - 6)
      this.addBlocks(node.children, inner, small, space.item)
      flow.flushMarkers(small)
      flow.addGap(space.item)
    }
  }
}

/** Returns whether a block is invisible, such as a closing HTML tag. */
const isBlank = (node: RootContent): boolean =>
  node.type === "html" && parseHtml(node.value).every((part) => "text" in part && part.text.trim() === "")
