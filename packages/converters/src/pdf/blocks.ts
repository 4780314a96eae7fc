/** Puts the blocks of a page on paper: headings, paragraphs, lists, quotes, code, tables, and the notes behind them. */
import GithubSlugger from "github-slugger"
import type { Blockquote, Code, Heading, List, ListItem, Root, RootContent } from "mdast"
import { type Flow, type Frame, inset, wholeFrame } from "./Flow.ts"
import { partsOf } from "./html.ts"
import { oneLine, type Span, type Style } from "./lines.ts"
import { noteAnchor, plainText, type Source } from "./spans.ts"
import { putTable } from "./tables.ts"
import { colors, space, styles } from "./theme.ts"

/** What is told of the headings of a page, for the outline. */
export type OnHeading = (title: string, level: number) => void

/** The marks of lists in lists. */
const bullets = ["•", "◦", "▪"]

export class Blocks {
  private readonly flow: Flow
  private readonly source: Source
  private readonly onHeading: OnHeading
  private readonly slugger = new GithubSlugger()
  private lists = 0

  constructor(flow: Flow, source: Source, onHeading: OnHeading) {
    this.flow = flow
    this.source = source
    this.onHeading = onHeading
  }

  /** The page's text, and its notes. */
  put(root: Root): void {
    this.all(root.children, wholeFrame, styles.body)
    this.notes()
  }

  private all(
    nodes: ReadonlyArray<RootContent>,
    frame: Frame,
    style: Style,
    between: number = space.block
  ): void {
    let isFirst = true
    for (const node of nodes) {
      if (node.type === "definition" || node.type === "footnoteDefinition" || isBlank(node)) continue
      if (!isFirst) this.flow.gap(between)
      isFirst = false
      this.one(node, frame, style)
    }
  }

  private one(node: RootContent, frame: Frame, style: Style): void {
    switch (node.type) {
      case "paragraph":
        this.flow.text(this.source.spans(node.children, style), frame, style)
        break
      case "heading":
        this.heading(node, frame)
        break
      case "thematicBreak":
        this.flow.slice(12, (top) => {
          this.flow.document.rect(frame.left, top + 6, frame.width, 0.75).fill(colors.rule)
        })
        break
      case "blockquote":
        this.quote(node, frame)
        break
      case "list":
        this.list(node, frame, style)
        break
      case "code":
        this.code(node, frame)
        break
      case "html":
        this.html(node.value, frame, style)
        break
      case "table":
        putTable(this.flow, this.source, node, frame)
        break
    }
  }

  private heading(node: Heading, frame: Frame): void {
    const style = styles.headings[node.depth - 1]!
    const title = plainText(node.children).trim()
    this.flow.gap(space.heading - space.block)
    // A heading stays with the lines behind it.
    this.flow.need(style.size * 1.5 + 40)
    this.flow.place(this.source.place(this.slugger.slug(title)))
    if (title !== "") this.onHeading(title.replace(/\s+/g, " "), node.depth)
    this.flow.text(this.source.spans(node.children, style), frame, style)
  }

  private quote(node: Blockquote, frame: Frame): void {
    this.flow.quoted(frame.left, () => this.all(node.children, inset(frame, 14), styles.quiet))
  }

  private list(node: List, frame: Frame, style: Style): void {
    const inner = inset(frame, space.indent)
    const bullet = bullets[Math.min(this.lists++, bullets.length - 1)]!
    let number = node.start ?? 1
    let isFirst = true
    for (const item of node.children) {
      if (!isFirst) this.flow.gap(node.spread === true ? space.block * 0.7 : space.item)
      isFirst = false
      this.mark(item, node.ordered === true ? `${number++}.` : bullet, inner, style)
      this.all(item.children, inner, style, item.spread === true ? space.block * 0.7 : space.item)
      this.flow.settle(style)
    }
    this.lists--
  }

  private mark(item: ListItem, mark: string, inner: Frame, style: Style): void {
    const shown = item.checked === true ? "☑" : item.checked === false ? "☐" : mark
    const line = oneLine(this.flow.fonts, shown, { ...style, face: "regular" }, 60)
    this.flow.mark(line, inner.left - line.width - 6)
  }

  private code(node: Code, frame: Frame): void {
    this.literal(node.value, frame)
  }

  /** A text as it stands, line by line on a shade, with its white space. */
  literal(value: string, frame: Frame): void {
    const { flow } = this
    const inner = { left: frame.left + 9, width: frame.width - 18 }
    const shade = (top: number, height: number) =>
      flow.document.rect(frame.left, top, frame.width, height).fill(colors.shade)
    const edge = () => flow.slice(6, (top) => shade(top, 6))
    flow.need(40)
    edge()
    for (const text of value.split("\n")) {
      const spans: ReadonlyArray<Span> = [{ text, style: styles.code }]
      for (const line of flow.lines(spans, inner, styles.code)) {
        flow.put(line, inner.left, (top, height) => shade(top, height + 0.3))
      }
    }
    edge()
  }

  private html(value: string, frame: Frame, style: Style): void {
    const spans: Array<Span> = []
    this.source.html(value, style, spans)
    const lines = this.flow.lines(spans, frame, style).filter(({ pieces }) => pieces.length > 0)
    for (const line of lines) this.flow.put(line, frame.left)
  }

  /** The notes of a page, numbered, where its text ends. */
  private notes(): void {
    if (this.source.notes.size === 0) return
    const { flow } = this
    const small = { ...styles.body, size: 9 }
    flow.gap(space.heading)
    flow.need(40)
    flow.slice(8, (top) => flow.document.rect(wholeFrame.left, top, 120, 0.75).fill(colors.rule))
    const inner = inset(wholeFrame, space.indent)
    for (const [label, { number, node }] of this.source.notes) {
      flow.need(20)
      flow.place(this.source.place(noteAnchor(label)))
      const line = oneLine(flow.fonts, `${number}.`, small, 60)
      flow.mark(line, inner.left - line.width - 6)
      this.all(node.children, inner, small, space.item)
      flow.settle(small)
      flow.gap(space.item)
    }
  }
}

/** Whether nothing is to be seen of a block, as of the end of a tag. */
const isBlank = (node: RootContent): boolean =>
  node.type === "html" && partsOf(node.value).every((part) => "text" in part && part.text.trim() === "")
