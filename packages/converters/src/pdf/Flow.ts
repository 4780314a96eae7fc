/**
 * Fills the pages of a document from top to bottom. Content is added in blocks that are not split across pages, on
 * the decorations of the enclosing quotes and boxes.
 */

import { Destinations } from "./Destinations.ts"
import { drawLine, type LinePainter } from "./drawLine.ts"
import { Fonts } from "./Fonts.ts"
import { breakLines, type Line, type LineBounds, type Span, type Style, toSingleLine } from "./lines.ts"
import { createDocument, type Document, type StructureElement } from "./pdfkit.ts"
import { Structure } from "./Structure.ts"
import { colors, paper, styles } from "./theme.ts"

/** The horizontal extent of content, in points: its distance to the left edge of the page, and its width. */
export interface Frame {
  readonly left: number
  readonly width: number
}

/** The frame of a whole page. */
export const wholeFrame: Frame = { left: paper.left, width: paper.width - paper.left - paper.right }

/** The minimum width of a frame in points, at any depth of nesting. */
const minFrameWidth = 120

/** Returns a frame that is indented by a number of points. */
export const inset = ({ left, width }: Frame, by: number): Frame => {
  const indent = Math.max(0, Math.min(by, width - minFrameWidth))
  return { left: left + indent, width: width - indent }
}

/** The bullet or number of a list item, which is drawn with the item's first line. */
interface Marker {
  readonly line: Line
  readonly left: number
  readonly element: StructureElement | undefined
  readonly drawBackground: ((base: number) => void) | undefined
}

/** Draws the background of a block, such as the bar of a quote. */
type Decoration = (top: number, height: number) => void

/** The height of the content of a page. */
export const pageHeight = paper.height - paper.top - paper.bottom

/** The pages of a document. Coordinates are in points from the top left corner of a page. */
export class Flow {
  readonly document: Document
  readonly fonts: Fonts
  readonly structure: Structure
  /** The number of the current page, from 1; 0 before the first page. */
  pageNumber = 0
  /** The vertical position at which the next block is added. */
  y = 0
  private needsFooter = false
  private readonly footer: string
  private decorations: Array<Decoration> = []
  private readonly destinations: Destinations
  private markers: Array<Marker> = []
  /** How many measurements are in progress: they advance `y` and draw nothing. */
  private measurements = 0
  /** How many blocks are in progress whose height was measured, so that they fit on the page. */
  private unbrokenBlocks = 0
  private readonly painter: LinePainter

  constructor(options: PDFKit.PDFDocumentOptions, footer: string, fontFiles: ReadonlyArray<string> = []) {
    this.document = createDocument({ size: [paper.width, paper.height], tagged: true, ...options })
    this.destinations = new Destinations(this.document)
    this.fonts = new Fonts(this.document, fontFiles)
    this.structure = new Structure(this.document)
    this.painter = { document: this.document, fonts: this.fonts, structure: this.structure }
    this.footer = footer
  }

  /** Whether content is measured and not drawn. */
  get isMeasuring(): boolean {
    return this.measurements > 0
  }

  private get isUnbroken(): boolean {
    return this.isMeasuring || this.unbrokenBlocks > 0
  }

  /** Starts a page. */
  startPage(hasFooter = true): void {
    if (this.isUnbroken) return
    this.endPage()
    this.document.addPage()
    this.pageNumber++
    this.y = paper.top
    this.needsFooter = hasFooter
  }

  /** Ends the page. Its footer is drawn last. */
  endPage(): void {
    this.structure.closeContent()
    if (!this.needsFooter) return
    this.needsFooter = false
    this.drawFooter(this.pageNumber)
  }

  /** Draws the footer with a page number on the current page. */
  drawFooter(pageNumber: number): void {
    this.structure.artifact(() => {
      const base = paper.height - paper.bottom / 2
      const width = wholeFrame.width - 60
      const title = toSingleLine(this.fonts, this.footer, styles.footer, width)
      drawLine(this.painter, title, paper.left, base, true)
      const number = toSingleLine(this.fonts, String(pageNumber), styles.footer, 60)
      drawLine(this.painter, number, paper.width - paper.right - number.width, base, true)
    })
  }

  /** Whether the page is empty. */
  get isAtTop(): boolean {
    return !this.isUnbroken && this.y <= paper.top
  }

  /** The height that is left on the page. */
  get remainingHeight(): number {
    return this.isUnbroken ? Number.POSITIVE_INFINITY : paper.height - paper.bottom - this.y
  }

  /** Starts a page if less than this height is left on the current one. */
  ensureHeight(height: number): void {
    if (this.remainingHeight < height && !this.isAtTop) this.startPage()
  }

  /** Adds content that is not split across pages. It belongs to the current element of the structure. */
  addBlock(height: number, draw: (top: number) => void): void {
    this.ensureHeight(height)
    this.drawDecorations(height)
    if (!this.isMeasuring) draw(this.y)
    this.y += height
  }

  /** Adds decoration as a block of its own, such as a rule. */
  addArtifact(height: number, draw: (top: number) => void): void {
    this.addBlock(height, (top) => this.structure.artifact(() => draw(top)))
  }

  /** Adds vertical space, except at the top of a page. */
  addGap(height: number): void {
    if (this.isAtTop) return
    this.drawDecorations(Math.min(height, this.remainingHeight))
    this.y += height
  }

  private drawDecorations(height: number): void {
    if (height <= 0 || this.isMeasuring || this.decorations.length === 0) return
    this.structure.artifact(() => {
      for (const draw of this.decorations) draw(this.y, height)
    })
  }

  /** Adds content with a decoration as the background of each of its blocks. */
  withDecoration(draw: Decoration, addContent: () => void): void {
    this.decorations.push(draw)
    addContent()
    this.decorations.pop()
  }

  /** Returns the height of content, without adding it. The content must not depend on the position. */
  measure(addContent: () => void): number {
    const { y, markers } = this
    this.measurements++
    this.markers = []
    this.structure.suspend(addContent)
    const height = this.y - y
    this.measurements--
    this.markers = markers
    this.y = y
    return height
  }

  /**
   * Adds content of a known height that is not split across pages. `drawBackground` is called first. The height must
   * be at most {@link pageHeight}.
   */
  addUnbroken(height: number, drawBackground: (top: number) => void, addContent: () => void): void {
    if (this.isMeasuring) {
      this.y += height
      return
    }
    this.ensureHeight(height)
    this.drawDecorations(height)
    const { decorations, y } = this
    this.structure.artifact(() => drawBackground(y))
    this.decorations = []
    this.unbrokenBlocks++
    addContent()
    this.unbrokenBlocks--
    this.decorations = decorations
    this.y = y + height
  }

  /**
   * Adds a marker, which is drawn to the left of the next line, as the label of the current list item.
   * `drawBackground` is called with the baseline.
   */
  addMarker(line: Line, left: number, drawBackground?: (base: number) => void): void {
    const element = this.structure.isSuspended ? undefined : this.structure.open("Lbl")
    this.markers.push({ line, left, element, drawBackground })
  }

  /** Adds a mark of the current element, such as its icon, which is drawn to the left of the next line. */
  addMark(line: Line, left: number): void {
    const element = this.structure.isSuspended ? undefined : this.structure.open("Div")
    this.markers.push({ line, left, element, drawBackground: undefined })
  }

  /** Draws the pending markers on the baseline of a line. */
  drawMarkers(base: number): void {
    const { markers } = this
    this.markers = []
    for (const { line, left, element, drawBackground } of markers) {
      if (element === undefined) continue
      if (drawBackground !== undefined) this.structure.artifact(() => drawBackground(base))
      this.structure.continue(element, "Lbl", () => this.drawLine(line, left, base))
      element.end()
    }
  }

  /** Draws the pending markers of an item that contains no line. */
  flushMarkers(style: Style): void {
    if (this.markers.length > 0) this.addText([], wholeFrame, style)
  }

  /** Adds text. The fallback style determines the height of empty lines. */
  addText(spans: ReadonlyArray<Span>, frame: Frame, fallback: Style, align?: Align): void {
    for (const line of this.breakLines(spans, frame, fallback)) {
      this.addLine(line, frame.left + alignedShift(line, frame.width, align))
    }
  }

  /** Breaks text into lines that fit a frame. */
  breakLines(spans: ReadonlyArray<Span>, { width }: Frame, fallback: Style): ReadonlyArray<Line> {
    const bounds: LineBounds = { width, imageHeight: pageHeight - 40 }
    return breakLines(this.fonts, spans, bounds, fallback)
  }

  /** Adds a line. `drawBackground` is called first. */
  addLine(line: Line, left: number, drawBackground?: (top: number, height: number) => void): void {
    const height = line.ascent + line.descent
    this.addBlock(height, (top) => {
      if (drawBackground !== undefined) this.structure.artifact(() => drawBackground(top, height))
      const base = top + line.ascent
      this.drawMarkers(base)
      this.drawLine(line, left, base)
    })
    if (this.isMeasuring) this.markers = []
  }

  /** Draws a line at a position, without adding a block. */
  drawLine(line: Line, left: number, base: number): void {
    drawLine(this.painter, line, left, base)
  }

  /** Draws a line within decoration. */
  drawArtifactLine(line: Line, left: number, base: number): void {
    drawLine(this.painter, line, left, base, true)
  }

  /** Names the position of the next line as a destination of links. The first destination of a name counts. */
  addDestination(name: string): void {
    if (!this.isMeasuring) this.destinations.add(name, paper.height - this.topOfDestination)
  }

  /** The position that is scrolled to for a destination at the next line: slightly above it. */
  get topOfDestination(): number {
    return Math.max(0, this.y - 8)
  }

  /** Registers `alias` for the destination `name`, unless `alias` has a destination already. */
  addAlias(alias: string, name: string): void {
    this.destinations.addAlias(alias, name)
  }

  /** Reserves the numbers of pages that are added last and moved with {@link moveLastPages}. */
  reservePages(count: number): void {
    this.pageNumber += count
  }

  /** Moves the last `count` pages of the document to follow its first `index` pages. */
  moveLastPages(count: number, index: number): void {
    const pages = this.document._root.data.Pages.data
    const moved = pages.Kids.splice(pages.Kids.length - count, count)
    pages.Kids.splice(index, 0, ...moved)
  }

  /** Completes the document. All of its bytes are written when this returns. */
  finish(): void {
    this.endPage()
    this.destinations.write()
    this.document.end()
    if (this.document._waiting > 0) throw new Error("The document has objects that are not written.")
  }
}

/** The alignment of text in its frame. */
export type Align = "left" | "right" | "center" | undefined

/** Returns the distance between the start of a frame and an aligned line in it. */
export const alignedShift = (line: Line, width: number, align: Align): number => {
  const spare = Math.max(0, width - line.width)
  return align === "right" ? spare : align === "center" ? spare / 2 : 0
}

/** The color of the bar at the left of quotes. */
export const quoteBar =
  (document: Document, left: number): Decoration =>
  (top, height) =>
    document.rect(left, top, 2.5, height).fill(colors.bar)
