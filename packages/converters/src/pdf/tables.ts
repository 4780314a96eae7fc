/**
 * Puts tables on paper. Columns are as wide as what is in them asks for; a table of many columns is divided into
 * several, one below the other; its head is repeated on every page; a row that is longer than a page goes on.
 */
import type { Table, TableCell, TableRow } from "mdast"
import type { Flow, Frame } from "./Flow.ts"
import { type Line, linesOf, type Style } from "./lines.ts"
import type { Source } from "./spans.ts"
import { colors, styles } from "./theme.ts"

/** The most columns beside each other, and how wide they are where they are that many. */
const mostColumns = 10
const leastWidth = 46

/** How many rows say how wide the columns are. */
const looked = 100

const padding = { x: 6, y: 4 }

/** The narrowest that a column asks to be. */
const narrowest = 36

type Align = "left" | "right" | "center" | null | undefined

/** The highest that a picture in a cell is. */
const pictureHeight = 160

export const putTable = (flow: Flow, source: Source, table: Table, frame: Frame): void => {
  const [head, ...rows] = table.children
  if (head === undefined) return
  const columns = Math.max(1, head.children.length)
  const beside = Math.min(mostColumns, Math.floor(frame.width / leastWidth))
  for (let from = 0; from < columns; from += beside) {
    const to = Math.min(columns, from + beside)
    if (from > 0) flow.gap(8)
    const aligns = Array.from({ length: to - from }, (_, index) => table.align?.[from + index])
    new Part(flow, source, frame, from, to, aligns).put(head, rows)
  }
}

/** Some columns of a table. */
class Part {
  private readonly flow: Flow
  private readonly source: Source
  private readonly frame: Frame
  private readonly from: number
  private readonly to: number
  private readonly aligns: ReadonlyArray<Align>
  private widths: ReadonlyArray<number> = []

  constructor(
    flow: Flow,
    source: Source,
    frame: Frame,
    from: number,
    to: number,
    aligns: ReadonlyArray<Align>
  ) {
    this.flow = flow
    this.source = source
    this.frame = frame
    this.from = from
    this.to = to
    this.aligns = aligns
  }

  put(head: TableRow, rows: ReadonlyArray<TableRow>): void {
    this.widths = this.measure(head, rows)
    const headLines = this.cells(head, styles.cellHead)
    const headHeight = heightOf(headLines)
    // A head that fills the page is not repeated: nothing would come after it.
    const isRepeated = headHeight < 200
    this.flow.need(Math.min(headHeight + 30, 200))
    this.row(headLines, colors.head)
    for (const row of rows) {
      const cells = this.cells(row, styles.cell)
      const height = heightOf(cells)
      if (this.flow.left < Math.min(height, 200) && !this.flow.isAtTop) {
        this.flow.turn()
        if (isRepeated) this.row(headLines, colors.head)
      }
      this.row(cells, undefined)
    }
  }

  private nodesOf(row: TableRow): ReadonlyArray<TableCell | undefined> {
    return Array.from({ length: this.to - this.from }, (_, index) => row.children[this.from + index])
  }

  /** How wide each column is: what it asks for, less where all ask for more than there is. */
  private measure(head: TableRow, rows: ReadonlyArray<TableRow>): ReadonlyArray<number> {
    const count = this.to - this.from
    const asked = new Array<number>(count).fill(narrowest)
    const room = { width: this.frame.width - padding.x * 2, pictureHeight }
    for (const [index, row] of [head, ...rows.slice(0, looked)].entries()) {
      const style = index === 0 ? styles.cellHead : styles.cell
      for (const [column, cell] of this.nodesOf(row).entries()) {
        if (cell === undefined) continue
        const lines = linesOf(this.flow.fonts, this.source.spans(cell.children, style), room, style)
        const width = Math.max(...lines.slice(0, 50).map((line) => line.width)) + padding.x * 2 + 0.5
        asked[column] = Math.max(asked[column]!, width)
      }
    }
    return shared(asked, this.frame.width)
  }

  private cells(row: TableRow, style: Style): ReadonlyArray<ReadonlyArray<Line>> {
    return this.nodesOf(row).map((cell, column) => {
      const room = { width: this.widths[column]! - padding.x * 2, pictureHeight }
      return linesOf(
        this.flow.fonts,
        cell === undefined ? [] : this.source.spans(cell.children, style),
        room,
        style
      )
    })
  }

  /** Puts a row, in as many parts as there are pages for it. */
  private row(cells: ReadonlyArray<ReadonlyArray<Line>>, background: string | undefined): void {
    const next = cells.map(() => 0)
    let isDone = false
    while (!isDone) {
      const smallest = Math.max(...cells.map((lines, column) => lineHeight(lines[next[column]!])))
      this.flow.need(smallest + padding.y * 2)
      const room = this.flow.left - padding.y * 2
      const parts = cells.map((lines, column) => {
        const first = next[column]!
        let height = 0
        let last = first
        while (last < lines.length && (last === first || height + lineHeight(lines[last]) <= room)) {
          height += lineHeight(lines[last])
          last++
        }
        next[column] = last
        return lines.slice(first, last)
      })
      isDone = cells.every((lines, column) => next[column]! >= lines.length)
      const height = heightOf(parts)
      this.flow.slice(height, (top) => this.draw(parts, top, height, background))
    }
  }

  private draw(
    parts: ReadonlyArray<ReadonlyArray<Line>>,
    top: number,
    height: number,
    background: string | undefined
  ): void {
    const { document } = this.flow
    let left = this.frame.left
    const first = parts.find((lines) => lines.length > 0)?.[0]
    if (first !== undefined) this.flow.drawMarks(top + padding.y + first.ascent)
    const width = this.widths.reduce((sum, one) => sum + one, 0)
    if (background !== undefined) document.rect(left, top, width, height).fill(background)
    for (const [column, lines] of parts.entries()) {
      const room = this.widths[column]! - padding.x * 2
      let y = top + padding.y
      for (const line of lines) {
        const spare = Math.max(0, room - line.width)
        const align = this.aligns[column]
        const shift = align === "right" ? spare : align === "center" ? spare / 2 : 0
        this.flow.line(line, left + padding.x + shift, y + line.ascent)
        y += line.ascent + line.descent
      }
      left += this.widths[column]!
    }
    document.lineWidth(0.5).strokeColor(colors.bar)
    left = this.frame.left
    for (const one of this.widths) {
      document.rect(left, top, one, height).stroke()
      left += one
    }
  }
}

/** What columns get: all that they ask for, or where that is too much, those that ask for little all, others a share. */
const shared = (asked: ReadonlyArray<number>, width: number): ReadonlyArray<number> => {
  const widths = [...asked]
  let left = width
  let open = Array.from(asked.keys())
  for (;;) {
    const fair = left / open.length
    const content = open.filter((column) => asked[column]! <= fair)
    if (content.length === 0) break
    for (const column of content) left -= asked[column]!
    open = open.filter((column) => asked[column]! > fair)
  }
  const total = open.reduce((sum, column) => sum + asked[column]!, 0)
  for (const column of open) widths[column] = left / 2 / open.length + ((left / 2) * asked[column]!) / total
  return widths
}

const lineHeight = (line: Line | undefined): number => (line === undefined ? 0 : line.ascent + line.descent)

const heightOf = (cells: ReadonlyArray<ReadonlyArray<Line>>): number =>
  Math.max(...cells.map((lines) => lines.reduce((sum, line) => sum + lineHeight(line), 0))) + padding.y * 2
