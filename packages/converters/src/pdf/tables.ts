/**
 * Renders tables. Columns are as wide as their content requires. A table with many columns is split into several, one
 * below the other. The head is repeated on every page, and a row that is longer than a page continues on the next one.
 */
import type { Table, TableCell, TableRow } from "mdast"
import type { Flow, Frame } from "./Flow.ts"
import { breakLines, type Line, type Style } from "./lines.ts"
import type { PageSource } from "./spans.ts"
import { colors, styles } from "./theme.ts"

/** The maximum number of columns in a row, and their minimum width in points. */
const maxColumns = 10
const minColumnWidth = 46

/** The number of rows that are measured to determine the widths of columns. */
const measuredRows = 100

const padding = { x: 6, y: 4 }

/** The minimum width that a column requests, in points. */
const minRequestedWidth = 36

type Align = "left" | "right" | "center" | null | undefined

/** The maximum height of an image in a cell, in points. */
const imageHeight = 160

/** Adds a table to the flow. */
export const addTable = (flow: Flow, source: PageSource, table: Table, frame: Frame): void => {
  const [head, ...rows] = table.children
  if (head === undefined) return
  const columns = Math.max(1, head.children.length)
  const columnsPerPart = Math.min(maxColumns, Math.floor(frame.width / minColumnWidth))
  for (let from = 0; from < columns; from += columnsPerPart) {
    const to = Math.min(columns, from + columnsPerPart)
    if (from > 0) flow.addGap(8)
    const aligns = Array.from({ length: to - from }, (_, index) => table.align?.[from + index])
    new TablePart(flow, source, frame, from, to, aligns).addTo(head, rows)
  }
}

/** The columns `from` to `to` (exclusive) of a table. */
class TablePart {
  private readonly flow: Flow
  private readonly source: PageSource
  private readonly frame: Frame
  private readonly from: number
  private readonly to: number
  private readonly aligns: ReadonlyArray<Align>
  private widths: ReadonlyArray<number> = []

  constructor(
    flow: Flow,
    source: PageSource,
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

  /** Adds the columns to the flow. */
  addTo(head: TableRow, rows: ReadonlyArray<TableRow>): void {
    this.widths = this.measureColumns(head, rows)
    const headLines = this.layOutCells(head, styles.cellHead)
    const headHeight = heightOf(headLines)
    // A head that fills most of a page is not repeated, since no room would be left for rows.
    const isRepeated = headHeight < 200
    this.flow.ensureHeight(Math.min(headHeight + 30, 200))
    this.addRow(headLines, colors.head)
    for (const row of rows) {
      const cells = this.layOutCells(row, styles.cell)
      const height = heightOf(cells)
      if (this.flow.remainingHeight < Math.min(height, 200) && !this.flow.isAtTop) {
        this.flow.startPage()
        if (isRepeated) this.addRow(headLines, colors.head)
      }
      this.addRow(cells, undefined)
    }
  }

  private cellsOf(row: TableRow): ReadonlyArray<TableCell | undefined> {
    return Array.from({ length: this.to - this.from }, (_, index) => row.children[this.from + index])
  }

  /** Returns the width of each column: the width of its content, or less if the columns exceed the frame. */
  private measureColumns(head: TableRow, rows: ReadonlyArray<TableRow>): ReadonlyArray<number> {
    const count = this.to - this.from
    const requested = new Array<number>(count).fill(minRequestedWidth)
    const room = { width: this.frame.width - padding.x * 2, imageHeight }
    for (const [index, row] of [head, ...rows.slice(0, measuredRows)].entries()) {
      const style = index === 0 ? styles.cellHead : styles.cell
      for (const [column, cell] of this.cellsOf(row).entries()) {
        if (cell === undefined) continue
        const lines = breakLines(this.flow.fonts, this.source.toSpans(cell.children, style), room, style)
        const width = Math.max(...lines.slice(0, 50).map((line) => line.width)) + padding.x * 2 + 0.5
        requested[column] = Math.max(requested[column]!, width)
      }
    }
    return distributeWidth(requested, this.frame.width)
  }

  private layOutCells(row: TableRow, style: Style): ReadonlyArray<ReadonlyArray<Line>> {
    return this.cellsOf(row).map((cell, column) => {
      const room = { width: this.widths[column]! - padding.x * 2, imageHeight }
      return breakLines(
        this.flow.fonts,
        cell === undefined ? [] : this.source.toSpans(cell.children, style),
        room,
        style
      )
    })
  }

  /** Adds a row, split across as many pages as it needs. */
  private addRow(cells: ReadonlyArray<ReadonlyArray<Line>>, background: string | undefined): void {
    const next = cells.map(() => 0)
    let isDone = false
    while (!isDone) {
      const smallest = Math.max(...cells.map((lines, column) => lineHeight(lines[next[column]!])))
      this.flow.ensureHeight(smallest + padding.y * 2)
      const room = this.flow.remainingHeight - padding.y * 2
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
      this.flow.addBlock(height, (top) => this.drawRow(parts, top, height, background))
    }
  }

  private drawRow(
    parts: ReadonlyArray<ReadonlyArray<Line>>,
    top: number,
    height: number,
    background: string | undefined
  ): void {
    const { document } = this.flow
    let left = this.frame.left
    const first = parts.find((lines) => lines.length > 0)?.[0]
    if (first !== undefined) this.flow.drawMarkers(top + padding.y + first.ascent)
    const width = this.widths.reduce((sum, one) => sum + one, 0)
    if (background !== undefined) document.rect(left, top, width, height).fill(background)
    for (const [column, lines] of parts.entries()) {
      const room = this.widths[column]! - padding.x * 2
      let y = top + padding.y
      for (const line of lines) {
        const spare = Math.max(0, room - line.width)
        const align = this.aligns[column]
        const shift = align === "right" ? spare : align === "center" ? spare / 2 : 0
        this.flow.drawLine(line, left + padding.x + shift, y + line.ascent)
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

/**
 * Distributes a width among columns. Columns that request at most an equal share get their request. The others get half
 * of the rest in equal parts, and half in proportion to their requests.
 */
const distributeWidth = (requested: ReadonlyArray<number>, width: number): ReadonlyArray<number> => {
  const widths = [...requested]
  let remainingWidth = width
  let remaining = Array.from(requested.keys())
  for (;;) {
    const share = remainingWidth / remaining.length
    const satisfied = remaining.filter((column) => requested[column]! <= share)
    if (satisfied.length === 0) break
    for (const column of satisfied) remainingWidth -= requested[column]!
    remaining = remaining.filter((column) => requested[column]! > share)
  }
  const total = remaining.reduce((sum, column) => sum + requested[column]!, 0)
  const half = remainingWidth / 2
  for (const column of remaining) {
    widths[column] = half / remaining.length + (half * requested[column]!) / total
  }
  return widths
}

const lineHeight = (line: Line | undefined): number => (line === undefined ? 0 : line.ascent + line.descent)

const heightOf = (cells: ReadonlyArray<ReadonlyArray<Line>>): number =>
  Math.max(...cells.map((lines) => lines.reduce((sum, line) => sum + lineHeight(line), 0))) + padding.y * 2
