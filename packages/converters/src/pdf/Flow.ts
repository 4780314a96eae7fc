/**
 * The pages of a document as they fill up from top to bottom: what is put on them comes in slices, none of which is
 * divided, with the bars of the quotes that it is in beside it.
 */
import { Fonts } from "./Fonts.ts"
import { type Line, linesOf, oneLine, type Piece, type Room, type Span, type Style } from "./lines.ts"
import { type Destination, type Document, makeDocument } from "./pdfkit.ts"
import { colors, page, styles } from "./theme.ts"

/** Where something is put: from which distance to the left edge on, and how wide it may be. */
export interface Frame {
  readonly left: number
  readonly width: number
}

/** The frame of a whole page. */
export const wholeFrame: Frame = { left: page.left, width: page.width - page.left - page.right }

/** The narrowest that a frame becomes, however deep what is in it is nested. */
const narrowest = 180

/** A frame inside another. */
export const inset = ({ left, width }: Frame, by: number): Frame => {
  const taken = Math.max(0, Math.min(by, width - narrowest))
  return { left: left + taken, width: width - taken }
}

/** The mark of an item of a list, which waits for the item's first line. */
interface Marker {
  readonly line: Line
  readonly left: number
}

export class Flow {
  readonly document: Document
  readonly fonts: Fonts
  /** The number of the page that is being filled, from 1 on. */
  number = 0
  y = 0
  private isOpen = false
  private readonly footer: string
  private readonly bars: Array<number> = []
  private readonly places = new Map<string, Destination>()
  private markers: Array<Marker> = []

  constructor(options: PDFKit.PDFDocumentOptions, footer: string) {
    this.document = makeDocument({ size: [page.width, page.height], ...options })
    this.fonts = new Fonts(this.document)
    this.footer = footer
  }

  /** Begins a page. */
  turn(hasFooter = true): void {
    this.end()
    this.document.addPage()
    this.number++
    this.y = page.top
    this.isOpen = hasFooter
  }

  /** Ends the page: its footer comes last, behind its text for those who hear it. */
  end(): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.foot(this.number)
  }

  /** Puts the footer of the page, which has this number. */
  foot(of: number): void {
    const base = page.height - page.bottom / 2
    const width = wholeFrame.width - 60
    this.line(oneLine(this.fonts, this.footer, styles.footer, width), page.left, base)
    const number = oneLine(this.fonts, String(of), styles.footer, 60)
    this.line(number, page.width - page.right - number.width, base)
  }

  /** Whether nothing is on the page yet. */
  get isAtTop(): boolean {
    return this.y <= page.top
  }

  /** How much of the page is left. */
  get left(): number {
    return page.height - page.bottom - this.y
  }

  /** Begins a page where less than this is left of the one that there is. */
  need(height: number): void {
    if (this.left < height && !this.isAtTop) this.turn()
  }

  /** Puts something that is not divided. */
  slice(height: number, draw: (top: number) => void): void {
    this.need(height)
    this.drawBars(height)
    draw(this.y)
    this.y += height
  }

  /** Leaves space, but not at the beginning of a page. */
  gap(height: number): void {
    if (this.isAtTop) return
    this.drawBars(Math.min(height, this.left))
    this.y += height
  }

  private drawBars(height: number): void {
    if (height <= 0) return
    for (const left of this.bars) this.document.rect(left, this.y, 2.5, height).fill(colors.bar)
  }

  /** Puts what is in a quote, with a bar at its left. */
  quoted(left: number, put: () => void): void {
    this.bars.push(left)
    put()
    this.bars.pop()
  }

  /** Lets a mark stand beside the next line. */
  mark(line: Line, left: number): void {
    this.markers.push({ line, left })
  }

  /** Draws the marks that wait for a line, on its base line. */
  drawMarks(base: number): void {
    for (const marker of this.markers) this.line(marker.line, marker.left, base)
    this.markers = []
  }

  /** Puts the mark of an item in which there was no line. */
  settle(style: Style): void {
    if (this.markers.length > 0) this.text([], wholeFrame, style)
  }

  /** Puts text. */
  text(spans: ReadonlyArray<Span>, frame: Frame, fallback: Style): void {
    for (const line of this.lines(spans, frame, fallback)) this.put(line, frame.left)
  }

  /** The lines of a text in a frame. */
  lines(spans: ReadonlyArray<Span>, { width }: Frame, fallback: Style): ReadonlyArray<Line> {
    const room: Room = { width, pictureHeight: page.height - page.top - page.bottom - 40 }
    return linesOf(this.fonts, spans, room, fallback)
  }

  /** Puts a line; `before` is drawn under it. */
  put(line: Line, left: number, before?: (top: number, height: number) => void): void {
    const height = line.ascent + line.descent
    this.slice(height, (top) => {
      before?.(top, height)
      const base = top + line.ascent
      this.drawMarks(base)
      this.line(line, left, base)
    })
  }

  /** Draws a line where it is said, and nothing else. */
  line({ pieces }: Line, left: number, base: number): void {
    for (const piece of pieces) {
      const x = left + piece.x
      if ("picture" in piece) {
        const { width, height } = piece
        this.document.image(piece.picture.source as Buffer, x, base - height, { width, height })
        this.link(piece, x, base - height, height)
      } else this.glyphs(piece, x, base)
    }
  }

  private glyphs(piece: Extract<Piece, { readonly text: string }>, x: number, base: number): void {
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
    this.link(piece, x, base - size, size * 1.25)
  }

  private link({ style, width }: Piece, x: number, top: number, height: number): void {
    if (style.link === undefined) return
    if ("url" in style.link) this.document.link(x, top, width, height, style.link.url)
    else this.document.goTo(x, top, width, height, style.link.place)
  }

  /** Names the place where the next line will be. The first of a name counts. */
  place(name: string): void {
    if (this.places.has(name)) return
    const bottom = page.height - Math.max(0, this.y - 8)
    this.add(name, [this.document.page.dictionary, "XYZ", null, bottom, null])
  }

  /** Lets a name that is none lead to a place that there is. */
  alias(name: string, place: string): void {
    const known = this.places.get(place)
    if (known !== undefined && !this.places.has(name)) this.add(name, known)
  }

  private add(name: string, destination: Destination): void {
    this.places.set(name, destination)
    this.document._root.data.Names.data.Dests.add(name, destination)
  }

  /** Leaves numbers to pages that will be put at the end, to be moved up then. */
  skip(pages: number): void {
    this.number += pages
  }

  /** Moves the last pages up behind the first ones. */
  moveUp(last: number, first: number): void {
    const pages = this.document._root.data.Pages.data
    const moved = pages.Kids.splice(pages.Kids.length - last, last)
    pages.Kids.splice(first, 0, ...moved)
  }

  /** The bytes, when all is put. */
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
