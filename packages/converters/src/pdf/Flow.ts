/**
 * Fills the pages of a document from top to bottom. Content is added in blocks that are not split across pages, with
 * the bars of the enclosing quotes at their left.
 */
import { Fonts } from "./Fonts.ts"
import {
  breakLines,
  type Line,
  type LineBounds,
  type Piece,
  type Span,
  type Style,
  toSingleLine
} from "./lines.ts"
import { createDocument, type Destination, type Document } from "./pdfkit.ts"
import { colors, paper, styles } from "./theme.ts"

/** The horizontal extent of content, in points: its distance to the left edge of the page, and its width. */
export interface Frame {
  readonly left: number
  readonly width: number
}

/** The frame of a whole page. */
export const wholeFrame: Frame = { left: paper.left, width: paper.width - paper.left - paper.right }

/** The minimum width of a frame in points, at any depth of nesting. */
const minFrameWidth = 180

/** Returns a frame that is indented by a number of points. */
export const inset = ({ left, width }: Frame, by: number): Frame => {
  const indent = Math.max(0, Math.min(by, width - minFrameWidth))
  return { left: left + indent, width: width - indent }
}

/** The bullet or number of a list item, which is drawn with the item's first line. */
interface Marker {
  readonly line: Line
  readonly left: number
}

/** The pages of a document. Coordinates are in points from the top left corner of a page. */
export class Flow {
  readonly document: Document
  readonly fonts: Fonts
  /** The number of the current page, from 1; 0 before the first page. */
  pageNumber = 0
  /** The vertical position at which the next block is added. */
  y = 0
  private needsFooter = false
  private readonly footer: string
  private readonly bars: Array<number> = []
  private readonly destinations = new Map<string, Destination>()
  private markers: Array<Marker> = []

  constructor(options: PDFKit.PDFDocumentOptions, footer: string) {
    this.document = createDocument({ size: [paper.width, paper.height], ...options })
    this.fonts = new Fonts(this.document)
    this.footer = footer
  }

  /** Starts a page. */
  startPage(hasFooter = true): void {
    this.endPage()
    this.document.addPage()
    this.pageNumber++
    this.y = paper.top
    this.needsFooter = hasFooter
  }

  /** Ends the page. Its footer is drawn last, so that screen readers read it after the text. */
  endPage(): void {
    if (!this.needsFooter) return
    this.needsFooter = false
    this.drawFooter(this.pageNumber)
  }

  /** Draws the footer with a page number on the current page. */
  drawFooter(pageNumber: number): void {
    const base = paper.height - paper.bottom / 2
    const width = wholeFrame.width - 60
    this.drawLine(toSingleLine(this.fonts, this.footer, styles.footer, width), paper.left, base)
    const number = toSingleLine(this.fonts, String(pageNumber), styles.footer, 60)
    this.drawLine(number, paper.width - paper.right - number.width, base)
  }

  /** Whether the page is empty. */
  get isAtTop(): boolean {
    return this.y <= paper.top
  }

  /** The height that is left on the page. */
  get remainingHeight(): number {
    return paper.height - paper.bottom - this.y
  }

  /** Starts a page if less than this height is left on the current one. */
  ensureHeight(height: number): void {
    if (this.remainingHeight < height && !this.isAtTop) this.startPage()
  }

  /** Adds content that is not split across pages. */
  addBlock(height: number, draw: (top: number) => void): void {
    this.ensureHeight(height)
    this.drawBars(height)
    draw(this.y)
    this.y += height
  }

  /** Adds vertical space, except at the top of a page. */
  addGap(height: number): void {
    if (this.isAtTop) return
    this.drawBars(Math.min(height, this.remainingHeight))
    this.y += height
  }

  private drawBars(height: number): void {
    if (height <= 0) return
    for (const left of this.bars) this.document.rect(left, this.y, 2.5, height).fill(colors.bar)
  }

  /** Adds the content of a quote, with a bar at its left. */
  withQuoteBar(left: number, addContent: () => void): void {
    this.bars.push(left)
    addContent()
    this.bars.pop()
  }

  /** Adds a marker, which is drawn to the left of the next line. */
  addMarker(line: Line, left: number): void {
    this.markers.push({ line, left })
  }

  /** Draws the pending markers on the baseline of a line. */
  drawMarkers(base: number): void {
    for (const marker of this.markers) this.drawLine(marker.line, marker.left, base)
    this.markers = []
  }

  /** Draws the pending markers of an item that contains no line. */
  flushMarkers(style: Style): void {
    if (this.markers.length > 0) this.addText([], wholeFrame, style)
  }

  /** Adds text. The fallback style determines the height of empty lines. */
  addText(spans: ReadonlyArray<Span>, frame: Frame, fallback: Style): void {
    for (const line of this.breakLines(spans, frame, fallback)) this.addLine(line, frame.left)
  }

  /** Breaks text into lines that fit a frame. */
  breakLines(spans: ReadonlyArray<Span>, { width }: Frame, fallback: Style): ReadonlyArray<Line> {
    const bounds: LineBounds = { width, imageHeight: paper.height - paper.top - paper.bottom - 40 }
    return breakLines(this.fonts, spans, bounds, fallback)
  }

  /** Adds a line. `drawBackground` is called first. */
  addLine(line: Line, left: number, drawBackground?: (top: number, height: number) => void): void {
    const height = line.ascent + line.descent
    this.addBlock(height, (top) => {
      drawBackground?.(top, height)
      const base = top + line.ascent
      this.drawMarkers(base)
      this.drawLine(line, left, base)
    })
  }

  /** Draws a line at a position, without adding a block. */
  drawLine({ pieces }: Line, left: number, base: number): void {
    for (const piece of pieces) {
      const x = left + piece.x
      if ("image" in piece) {
        const { width, height } = piece
        this.document.image(piece.image.source as Buffer, x, base - height, { width, height })
        this.addLink(piece, x, base - height, height)
      } else this.drawText(piece, x, base)
    }
  }

  private drawText(piece: Extract<Piece, { readonly text: string }>, x: number, base: number): void {
    const { style, text, font, width } = piece
    const { document } = this
    const size = style.size
    if (style.background !== undefined) {
      document.roundedRect(x - 1.5, base - size * 0.95, width + 3, size * 1.25, 2).fill(style.background)
    }
    document.font(font, size).fillColor(style.color)
    document.text(text, x, base - (style.rise ?? 0), { lineBreak: false, baseline: "alphabetic" })
    if (style.isStruck === true) {
      document.rect(x, base - size * 0.3, width, size * 0.06).fill(style.color)
    }
    this.addLink(piece, x, base - size, size * 1.25)
  }

  private addLink({ style, width }: Piece, x: number, top: number, height: number): void {
    if (style.link === undefined) return
    if ("url" in style.link) this.document.link(x, top, width, height, style.link.url)
    else this.document.goTo(x, top, width, height, style.link.destination)
  }

  /** Names the position of the next line as a destination of links. The first destination of a name counts. */
  addDestination(name: string): void {
    if (this.destinations.has(name)) return
    const bottom = paper.height - Math.max(0, this.y - 8)
    this.registerDestination(name, [this.document.page.dictionary, "XYZ", null, bottom, null])
  }

  /** Registers `alias` for the destination `name`, unless `alias` has a destination already. */
  addAlias(alias: string, name: string): void {
    const destination = this.destinations.get(name)
    if (destination !== undefined && !this.destinations.has(alias)) {
      this.registerDestination(alias, destination)
    }
  }

  private registerDestination(name: string, destination: Destination): void {
    this.destinations.set(name, destination)
    this.document._root.data.Names.data.Dests.add(name, destination)
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

  /** Completes the document and returns its bytes. */
  finish(): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const chunks: Array<Uint8Array> = []
      this.document.on("data", (chunk: Uint8Array) => chunks.push(chunk))
      this.document.on("end", () => resolve(Buffer.concat(chunks)))
      this.document.on("error", reject)
      this.document.end()
    })
  }
}
