/**
 * The table of contents. It comes before the pages that it names, whose numbers are known when they are done: so it
 * has a line for each entry, its pages are counted before, and it is put last, and moved up.
 */
import { type Flow, wholeFrame } from "./Flow.ts"
import { type Link, oneLine } from "./lines.ts"
import { colors, page, styles } from "./theme.ts"

/** A line of the table: what is there, how deep, where it leads, and the page whose number it shows. */
export interface Entry {
  readonly title: string
  readonly depth: number
  readonly isGroup: boolean
  readonly link?: Link
  readonly page?: string
}

const lineHeight = 19
const headHeight = 52
const indent = 15

/** How deep entries are moved in. */
const deepest = 8

const room = page.height - page.top - page.bottom
const onFirst = Math.floor((room - headHeight) / lineHeight)
const onOthers = Math.floor(room / lineHeight)

export class Contents {
  private readonly flow: Flow
  private readonly entries: ReadonlyArray<Entry>
  /** How many pages it takes. */
  readonly pages: number

  constructor(flow: Flow, entries: ReadonlyArray<Entry>) {
    this.flow = flow
    this.entries = entries
    this.pages = 1 + Math.ceil(Math.max(0, entries.length - onFirst) / onOthers)
  }

  /** Puts the table, when the numbers of all pages are known. Its own first page has this number. */
  put(numbers: ReadonlyMap<string, number>, first: number): void {
    const { flow, entries } = this
    let current = first
    flow.turn(false)
    flow.line(oneLine(flow.fonts, "Contents", styles.title, wholeFrame.width), page.left, page.top + 22)
    if (entries.length === 0) {
      const none = oneLine(flow.fonts, "There are no pages.", styles.quiet, wholeFrame.width)
      flow.line(none, page.left, page.top + headHeight + 12)
    }
    for (const [index, entry] of entries.entries()) {
      const below = index - onFirst
      const isOnFirst = below < 0
      if (below >= 0 && below % onOthers === 0) {
        flow.foot(current++)
        flow.turn(false)
      }
      const top = isOnFirst
        ? page.top + headHeight + index * lineHeight
        : page.top + (below % onOthers) * lineHeight
      const number = entry.page === undefined ? undefined : numbers.get(entry.page)
      this.line(entry, number, top)
    }
    flow.foot(current)
  }

  private line({ title, depth, isGroup, link }: Entry, number: number | undefined, top: number): void {
    const { flow } = this
    const base = top + 13
    const left = page.left + Math.min(depth, deepest) * indent
    const right = page.width - page.right
    const style = isGroup || depth === 0 ? { ...styles.body, face: "bold" as const } : styles.body
    const shown = oneLine(flow.fonts, title, style, right - left - 60)
    flow.line(shown, left, base)
    // A group of links alone has no page.
    if (link !== undefined && ("url" in link || number !== undefined)) {
      const [width, height] = [right - left, lineHeight]
      if ("url" in link) flow.document.link(left, top, width, height, link.url)
      else flow.document.goTo(left, top, width, height, link.place)
    }
    const shownNumber = number ?? (link !== undefined && "url" in link ? "↗" : undefined)
    if (shownNumber === undefined) return
    const digits = oneLine(flow.fonts, String(shownNumber), style, 60)
    flow.line(digits, right - digits.width, base)
    const from = left + shown.width + 6
    const to = right - digits.width - 6
    if (to <= from) return
    flow.document
      .moveTo(from, base - 0.5)
      .lineTo(to, base - 0.5)
      .lineWidth(0.8)
      .dash(0.8, { space: 3 })
      .strokeColor(colors.bar)
      .stroke()
      .undash()
  }
}
