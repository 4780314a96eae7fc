/** Renders the blocks of a page: text, lists, quotes and, with other modules, all further types of blocks. */
import { type Block, type Heading, type List, type ListItem, plainText } from "@lectern/formats/threads"
import { addCards } from "./cards.ts"
import { addCode, addLiteral } from "./codeBlock.ts"
import { addContainer } from "./containers.ts"
import { alignedShift, type Flow, type Frame, inset, quoteBar, wholeFrame } from "./Flow.ts"
import { addFigures, addFileImage } from "./figures.ts"
import { parseHtml } from "./html.ts"
import { Inlines } from "./inlines.ts"
import { type Span, type Style, toSingleLine } from "./lines.ts"
import type { PageSource } from "./PageSource.ts"
import { addReference } from "./references.ts"
import { addTable } from "./tables.ts"
import { colors, space, styles } from "./theme.ts"

/** Called for each heading of a page, for the outline. */
export type OnHeading = (title: string, level: number) => void

/** The bullets of nested lists, by depth. */
const bullets = ["•", "◦", "▪"]

/** The maximum depth of blocks. Below it, only the text of blocks is rendered, in a frame that is still readable. */
const maxDepth = 60

/** The lowest level of headings in PDF. Headings of a page are below its title. */
const lowestHeading = 6

/** Renders the document of one page into a {@link Flow}. */
export class Blocks {
  readonly flow: Flow
  readonly source: PageSource
  readonly inlines: Inlines
  private readonly onHeading: OnHeading
  private listDepth = 0
  private depth = 0

  constructor(flow: Flow, source: PageSource, onHeading: OnHeading) {
    this.flow = flow
    this.source = source
    this.inlines = new Inlines(source)
    this.onHeading = onHeading
  }

  /** Adds the document of the page, and then its notes. */
  addPage(): void {
    this.addBlocks(this.source.document.nodes, wholeFrame, styles.body)
    this.addNotes()
  }

  /** Adds blocks with gaps between them. */
  addBlocks(nodes: ReadonlyArray<Block>, frame: Frame, style: Style, gap: number = space.block): void {
    if (this.depth >= maxDepth) return
    this.depth++
    let isFirst = true
    for (const node of nodes) {
      if (isBlank(node)) continue
      if (!isFirst) this.flow.addGap(gap)
      isFirst = false
      this.addBlock(node, frame, style)
    }
    this.depth--
  }

  private addBlock(node: Block, frame: Frame, style: Style): void {
    switch (node.type) {
      case "paragraph":
        this.addParagraph(this.inlines.toSpans(node.nodes, style), frame, style, node.data?.align)
        return
      case "heading-1":
      case "heading-2":
      case "heading-3":
        this.addHeading(node, frame)
        return
      case "divider":
        this.flow.addArtifact(12, (top) => {
          this.flow.document.rect(frame.left, top + 6, frame.width, 0.75).fill(colors.rule)
        })
        return
      case "blockquote":
        this.flow.structure.within("BlockQuote", () =>
          this.flow.withDecoration(quoteBar(this.flow.document, frame.left), () =>
            this.addBlocks(node.nodes, inset(frame, 14), { ...style, color: colors.quiet })
          )
        )
        return
      case "list-ordered":
      case "list-unordered":
      case "list-tasks":
        this.flow.structure.within("L", () => this.addList(node, frame, style))
        return
      case "code":
        if (node.data.markdown === "html") this.addHtml(codeText(node), frame, style)
        else addCode(this, node, frame)
        return
      case "math":
        this.addMath(node.data.formula, frame, style)
        return
      case "images":
        addFigures(this, node, frame)
        return
      case "drawing":
        if (node.data.ref !== undefined) addFileImage(this, node.data.ref, "Drawing", frame)
        return
      case "table":
        if (node.data.view.type === "cards") addCards(this, node, frame)
        else this.flow.structure.within("Table", () => addTable(this, node, frame))
        return
      case "hint":
      case "tabs":
      case "stepper":
      case "columns":
      case "expandable":
      case "if":
      case "updates":
        addContainer(this, node, frame, style)
        return
      case "reusable-content":
        // Inclusions are expanded before; what remains refers to content that does not exist.
        return
      default:
        addReference(this, node, frame, style)
    }
  }

  /** Adds a paragraph of spans. */
  addParagraph(
    spans: ReadonlyArray<Span>,
    frame: Frame,
    style: Style,
    align?: "start" | "center" | "end"
  ): void {
    const side = align === "center" ? "center" : align === "end" ? "right" : undefined
    this.flow.structure.within("P", () => this.flow.addText(spans, frame, style, side))
  }

  private addHeading(node: Heading, frame: Frame): void {
    const level = node.type === "heading-1" ? 1 : node.type === "heading-2" ? 2 : (node.data.depth ?? 3)
    const style = styles.headings[level - 1]!
    const { flow } = this
    flow.addGap(space.heading - space.block)
    // A heading must be on the same page as the lines that follow it.
    flow.ensureHeight(style.size * 1.5 + 40)
    const title = plainText(node.nodes).trim()
    if (!flow.isMeasuring) {
      flow.addDestination(this.source.destination(node.meta?.id ?? ""))
      if (title !== "") this.onHeading(title.replace(/\s+/g, " "), level)
    }
    const side = node.data.align === "center" ? "center" : node.data.align === "end" ? "right" : undefined
    const type = `H${Math.min(level + 1, lowestHeading)}` as "H2"
    flow.structure.within(type, () =>
      flow.addText(this.inlines.toSpans(node.nodes, style), frame, style, side)
    )
  }

  private addList(node: List, frame: Frame, style: Style): void {
    const { flow } = this
    const inner = inset(frame, space.indent)
    const bullet = bullets[Math.min(this.listDepth++, bullets.length - 1)]!
    let number = node.type === "list-ordered" ? (node.data?.start ?? 1) : 1
    const isSpread = node.nodes.some(({ data }) => data?.spread === true)
    const gap = isSpread ? space.block * 0.7 : space.item
    let isFirst = true
    for (const item of node.nodes) {
      if (!isFirst) flow.addGap(gap)
      isFirst = false
      const marker = markerOf(item) ?? (node.type === "list-ordered" ? `${number}.` : bullet)
      number++
      this.addItem(marker, inner, style, () => this.addBlocks(item.nodes, inner, style, gap))
    }
    this.listDepth--
  }

  /** Adds an item of a list: its marker, and its content in the frame `inner`, which is right of the marker. */
  addItem(marker: string, inner: Frame, style: Style, addContent: () => void): void {
    const { flow } = this
    flow.structure.within("LI", () => {
      const line = toSingleLine(flow.fonts, marker, { ...style, face: "regular" }, 60)
      flow.addMarker(line, inner.left - line.width - 6)
      flow.structure.within("LBody", () => {
        addContent()
        flow.flushMarkers(style)
      })
    })
  }

  private addMath(formula: string, frame: Frame, style: Style): void {
    const graphic = this.source.resources.formulas.typeset(formula, true)
    if (graphic === undefined) {
      addLiteral(this, formula, frame)
      return
    }
    const size = { ...style, size: style.size * 1.1 }
    for (const line of this.flow.breakLines([{ graphic, style: size }], frame, style)) {
      this.flow.addLine(line, frame.left + alignedShift(line, frame.width, "center"))
    }
  }

  private addHtml(value: string, frame: Frame, style: Style): void {
    const spans: Array<Span> = []
    this.inlines.addHtml(value, style, spans)
    const lines = this.flow.breakLines(spans, frame, style).filter(({ pieces }) => pieces.length > 0)
    this.flow.structure.within("P", () => {
      for (const line of lines) this.flow.addLine(line, frame.left)
    })
  }

  /** Adds the numbered notes of the page. Notes can refer to further notes. */
  private addNotes(): void {
    let pending = this.source.notesAfter(0)
    if (pending.length === 0) return
    const { flow } = this
    const small = { ...styles.body, size: 9 }
    flow.addGap(space.heading)
    flow.ensureHeight(40)
    flow.addArtifact(8, (top) => flow.document.rect(wholeFrame.left, top, 120, 0.75).fill(colors.rule))
    const inner = inset(wholeFrame, space.indent)
    flow.structure.within("L", () => {
      while (pending.length > 0) {
        for (const { anchor, body, number } of pending) {
          flow.ensureHeight(20)
          flow.addDestination(this.source.destination(anchor))
          this.addItem(`${number}.`, inner, small, () => this.addBlocks(body, inner, small, space.item))
          flow.addGap(space.item)
        }
        pending = this.source.notesAfter(pending.at(-1)!.number)
      }
    })
  }
}

/** Returns the text of a code block. */
export const codeText = (node: Extract<Block, { readonly type: "code" }>): string =>
  node.nodes
    .map((line) => line.nodes.flatMap(({ leaves }) => leaves.map(({ text }) => text)).join(""))
    .join("\n")

const markerOf = ({ data }: ListItem): string | undefined =>
  data?.checked === true ? "☑" : data?.checked === false ? "☐" : undefined

/** Returns whether a block is invisible, such as a closing HTML tag or an unknown tag. */
const isBlank = (node: Block): boolean => {
  if (node.type !== "code") return node.type === "reusable-content"
  if (node.data.markdown === "tag") return true
  if (node.data.markdown !== "html") return false
  return parseHtml(codeText(node)).every((part) => "text" in part && part.text.trim() === "")
}
