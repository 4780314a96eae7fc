/**
 * The table of contents. It precedes the pages that it lists, but their numbers are only available after they are
 * rendered. Each entry has one line, so the length of the table is available in advance: page numbers are reserved for
 * it, and it is rendered last and moved to the front.
 */
import { type Flow, wholeFrame } from "./Flow.ts"
import { type Link, toSingleLine } from "./lines.ts"
import { toPdfString } from "./pdfkit.ts"
import { colors, paper, styles } from "./theme.ts"

/** A line of the table: its title, nesting depth and link, and the id of the page whose number it shows. */
export interface ContentsEntry {
  readonly title: string
  readonly depth: number
  readonly isGroup: boolean
  readonly link?: Link
  readonly page?: string
}

const lineHeight = 19
const headHeight = 52
const indent = 15

/** The maximum nesting depth that is indented. */
const maxIndentDepth = 8

const contentHeight = paper.height - paper.top - paper.bottom
const entriesOnFirstPage = Math.floor((contentHeight - headHeight) / lineHeight)
const entriesPerPage = Math.floor(contentHeight / lineHeight)

/** Renders the table of contents. */
export class TableOfContents {
  private readonly flow: Flow
  private readonly entries: ReadonlyArray<ContentsEntry>
  /** The number of pages that it needs. */
  readonly pageCount: number

  constructor(flow: Flow, entries: ReadonlyArray<ContentsEntry>) {
    this.flow = flow
    this.entries = entries
    this.pageCount = 1 + Math.ceil(Math.max(0, entries.length - entriesOnFirstPage) / entriesPerPage)
  }

  /** Adds the table. `numbers` are the page numbers by page id; `first` is the number of the table's own first page. */
  addTo(numbers: ReadonlyMap<string, number>, first: number): void {
    const { flow } = this
    flow.startPage(false)
    const heading = toSingleLine(flow.fonts, "Contents", styles.title, wholeFrame.width)
    flow.structure.within("H1", () => flow.drawLine(heading, paper.left, paper.top + 22))
    flow.structure.within("TOC", () => this.addEntries(numbers, first))
  }

  private addEntries(numbers: ReadonlyMap<string, number>, first: number): void {
    const { flow, entries } = this
    let current = first
    if (entries.length === 0) {
      const none = toSingleLine(flow.fonts, "There are no pages.", styles.quiet, wholeFrame.width)
      flow.drawLine(none, paper.left, paper.top + headHeight + 12)
    }
    for (const [index, entry] of entries.entries()) {
      const below = index - entriesOnFirstPage
      const isOnFirst = below < 0
      if (below >= 0 && below % entriesPerPage === 0) {
        flow.structure.closeContent()
        flow.drawFooter(current++)
        flow.startPage(false)
      }
      const top = isOnFirst
        ? paper.top + headHeight + index * lineHeight
        : paper.top + (below % entriesPerPage) * lineHeight
      const number = entry.page === undefined ? undefined : numbers.get(entry.page)
      flow.structure.within("TOCI", () => this.drawEntry(entry, number, top))
    }
    flow.drawFooter(current)
  }

  private drawEntry(
    { title, depth, isGroup, link }: ContentsEntry,
    number: number | undefined,
    top: number
  ): void {
    const { flow } = this
    const base = top + 13
    const left = paper.left + Math.min(depth, maxIndentDepth) * indent
    const right = paper.width - paper.right
    const style = isGroup || depth === 0 ? { ...styles.body, face: "bold" as const } : styles.body
    const shown = toSingleLine(flow.fonts, title, style, right - left - 60)
    const shownNumber = number ?? (link !== undefined && "url" in link ? "↗" : undefined)
    const digits =
      shownNumber === undefined ? undefined : toSingleLine(flow.fonts, String(shownNumber), style, 60)
    const draw = () => {
      flow.drawLine(shown, left, base)
      if (digits !== undefined) flow.drawLine(digits, right - digits.width, base)
    }
    // A group that contains only links has no page number, and no destination to link to.
    if (link === undefined || (number === undefined && !("url" in link))) draw()
    else
      flow.structure.within("Link", () => {
        draw()
        const options = { structParent: flow.structure.current, Contents: toPdfString(title) }
        const [width, height] = [right - left, lineHeight]
        if ("url" in link) flow.document.link(left, top, width, height, link.url, options)
        else flow.document.goTo(left, top, width, height, link.destination, options)
      })
    if (digits === undefined) return
    const from = left + shown.width + 6
    const to = right - digits.width - 6
    if (to <= from) return
    flow.structure.artifact(() =>
      flow.document
        .moveTo(from, base - 0.5)
        .lineTo(to, base - 0.5)
        .lineWidth(0.8)
        .dash(0.8, { space: 3 })
        .strokeColor(colors.bar)
        .stroke()
        .undash()
    )
  }
}
